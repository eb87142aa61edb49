import { request } from 'node:http'
import { recordFailure } from '../checks/recorded-failures.ts'
import type { Answer, Client } from './client.ts'

interface SlowCall {
  /** Sends the rest of the body. */
  finish(): Promise<Answer>
}

/** A call whose headers the server has read and of whose body only half is sent. */
export async function slowCall(
  client: Client,
  method: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<SlowCall> {
  const bytes = Buffer.from(JSON.stringify(body))
  const half = Math.ceil(bytes.length / 2)
  const outgoing = request(client.url + path, {
    method,
    agent: false,
    headers: {
      ...client.authorization(method, path),
      'content-type': 'application/json',
      'content-length': bytes.length,
      // answered when the headers have been read
      expect: '100-continue',
      ...headers,
    },
  })
  const answer = Promise.withResolvers<Answer>()
  outgoing.on('error', answer.reject).on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('error', answer.reject).on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const read = text === '' ? {} : JSON.parse(text)
      recordFailure(read)
      const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string])
      answer.resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), text, body: read })
    })
  })
  answer.promise.catch(() => {})
  outgoing.flushHeaders()
  await new Promise<void>((resolve, reject) => outgoing.once('continue', resolve).once('error', reject))
  outgoing.write(bytes.subarray(0, half))
  return {
    finish: () => {
      outgoing.end(bytes.subarray(half))
      return answer.promise
    },
  }
}
