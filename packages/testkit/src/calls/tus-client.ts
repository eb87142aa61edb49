import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { recordFailure } from '../checks/recorded-failures.ts'
import type { Answer } from './client.ts'

const version = { 'tus-resumable': '1.0.0' }
const sliceType = { 'content-type': 'application/offset+octet-stream' }
type Headers_ = Record<string, string>

/** tus without a client library: one call each, no retries. */
export async function tusCall(
  method: string,
  url: string,
  headers: Headers_ = version,
  body?: Buffer,
): Promise<Answer> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: new Uint8Array(body) }) })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const parsed = isJson && text ? JSON.parse(text) : {}
  recordFailure(parsed)
  return { status: response.status, headers: response.headers, text, body: parsed }
}

export const tusHead = (url: string): Promise<Answer> => tusCall('HEAD', url)

export const tusPatch = (url: string, offset: number, bytes: Buffer, more: Headers_ = {}): Promise<Answer> =>
  tusCall('PATCH', url, { ...version, ...sliceType, 'upload-offset': String(offset), ...more }, bytes)

/** The upload's offset; throws when HEAD fails. */
export async function tusOffset(url: string): Promise<number> {
  const { status, headers } = await tusHead(url)
  if (status !== 200) throw new Error(`HEAD answered ${status}`)
  return Number(headers.get('upload-offset'))
}

/** Announces a whole slice, sends its beginning, then drops the connection. */
export async function tusCut(
  url: string,
  offset: number,
  announced: number,
  sent: Buffer,
  more: Headers_ = {},
): Promise<void> {
  const socket = await tusStart(url, offset, announced, sent, more)
  // the server reads all that was sent, and then the end
  socket.resume().end()
  await once(socket, 'close')
}

/** As tusCut, but leaves the connection open for the caller. Undefined announces no length: the caller sends chunks. */
export async function tusStart(
  url: string,
  offset: number,
  announced: number | undefined,
  sent: Buffer,
  more: Headers_ = {},
): Promise<Socket> {
  const { port, hostname, host, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const length = announced === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': announced }
  const headers = { ...version, ...sliceType, ...length, host, 'upload-offset': offset, ...more }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PATCH ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await new Promise<void>((resolve) => socket.write(sent, () => resolve()))
  return socket
}

/** The first answer on such a connection: its status and its text. */
export async function tusAnswer(socket: Socket): Promise<{ status: number; text: string }> {
  const [first] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer]
  return { status: Number(first.toString('latin1', 9, 12)), text: first.toString() }
}
