import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Client } from '@wharf/testkit'
import type { Sent } from './draft.ts'

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** More than any call may take: jobs are waited for. */
const maxAnswerMs = 60_000

/** Sends calls verbatim, which fetch does not do for some of them. */
export class Sender {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: string
  readonly #clients: Record<Sent['as'], Client>

  constructor(url: string, clients: Record<Sent['as'], Client>) {
    this.#port = new URL(url).port
    this.#clients = clients
  }

  close(): void {
    this.#agent.destroy()
  }

  send({ method, target, headers, body, as }: Sent): Promise<Received> {
    return new Promise((resolve, reject) => {
      const options = {
        port: this.#port,
        agent: this.#agent,
        method,
        path: target,
        headers: {
          ...this.#clients[as].authorization(method, target),
          'content-length': body?.length ?? 0,
          ...headers,
        },
      }
      const call = request(options, (response) => {
        const { statusCode: status = 0, headers } = response
        // a stream does not end on its own
        if (headers['content-type']?.startsWith('text/event-stream')) {
          response.destroy()
          resolve({ status, headers, text: '' })
          return
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status, headers, text: Buffer.concat(chunks).toString() }))
        response.on('error', reject)
      })
      call.setTimeout(maxAnswerMs, () =>
        call.destroy(new Error(`no answer to ${method} ${target} after ${maxAnswerMs} ms`)),
      )
      call.on('error', reject)
      call.end(body)
    })
  }
}
