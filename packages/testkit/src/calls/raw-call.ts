import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { recordFailure } from '../checks/recorded-failures.ts'
import type { Answer } from './client.ts'

export interface RawCall {
  method?: string
  /** Sent verbatim, including dot segments. */
  path: string
  /** `host: undefined` leaves it out. */
  headers?: Record<string, string | undefined>
  body?: string | Buffer
}

const limitMs = 10_000

/** A call that no client library would make: nothing is normalised, added or refused. */
export function rawCall(url: string, { method = 'GET', path, headers = {}, body = '' }: RawCall): Promise<Answer> {
  const length = Buffer.byteLength(body)
  const all = {
    host: new URL(url).host,
    ...(length > 0 && headers['transfer-encoding'] === undefined ? { 'content-length': String(length) } : {}),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
  return rawBytes(
    url,
    Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), toBuffer(body)]),
  )
}

/** The server's answer to these bytes until it closes the connection. A number is a pause in milliseconds. */
export async function rawBytes(url: string, bytes: string | Buffer | (string | number)[]): Promise<Answer> {
  const { port, hostname } = new URL(url)
  const received = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.setTimeout(limitMs, () => socket.destroy(new Error(`no end after ${limitMs} ms`)))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // a server that refuses does not read the rest: what it sent before counts as the answer
    socket.on('error', (error) => (chunks.length > 0 ? resolve(Buffer.concat(chunks)) : reject(error)))
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    if (Array.isArray(bytes)) void writeSlowly(socket, bytes)
    else socket.write(bytes)
  })
  return parse(received.toString())
}

async function writeSlowly(socket: Socket, parts: (string | number)[]): Promise<void> {
  for (const part of parts) {
    if (typeof part === 'number') await delay(part)
    else socket.write(part)
  }
}

const toBuffer = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body) : body)

function parse(received: string): Answer {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line) => (/^([^:]+):\s*(.*)$/.exec(line) ?? []).slice(1, 3) as [string, string]),
  )
  const sent = rest.join('\r\n\r\n')
  const text = headers.get('transfer-encoding') === 'chunked' ? unchunked(sent) : sent
  const isJson = headers.get('content-type')?.startsWith('application/json')
  // what follows the first answer on its connection is in the text only
  const own = Buffer.from(text)
    .subarray(0, Number(headers.get('content-length') ?? text.length))
    .toString()
  const body = isJson && own ? JSON.parse(own) : {}
  recordFailure(body)
  return { status: Number(statusLine.split(' ')[1]), headers, text, body }
}

function unchunked(sent: string): string {
  let bytes = Buffer.from(sent)
  let text = ''
  for (;;) {
    const end = bytes.indexOf('\r\n')
    const length = Number.parseInt(bytes.subarray(0, end).toString(), 16)
    if (end < 0 || !(length > 0)) return text
    text += bytes.subarray(end + 2, end + 2 + length).toString()
    bytes = bytes.subarray(end + 4 + length)
  }
}
