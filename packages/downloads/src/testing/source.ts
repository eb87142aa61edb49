import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import type { TestContext } from 'node:test'
import { parseCidr } from '@wharf/platform/cidr.ts'
import type { DownloadOptions } from '../download.ts'

/** Tests may reach 127.0.0.2 and no other address of the loopback network. */
export const allowedAddress = '127.0.0.2'
export const refusedAddress = '127.0.0.3'

/** The minimal options of a download. */
export function downloadOptions(more: Partial<DownloadOptions> = {}): DownloadOptions {
  const allow = [parseCidr(allowedAddress)].filter((network) => network !== undefined)
  return { signal: new AbortController().signal, allow, maxBytes: 2 ** 40, ...more }
}

export interface TestSource {
  readonly port: number
  /** The local addresses of all connections so far. */
  readonly reached: string[]
  /** Open connections. */
  readonly sockets: Set<Socket>
}

/** Listens on every address of this machine unless one is named, so that it also notices a connection that should not have been made. */
export async function startSource(t: TestContext, answer: RequestListener, address?: string): Promise<TestSource> {
  return listen(t, createServer(answer), address)
}

/** A source with any protocol. */
export async function startRawSource(t: TestContext, answer: (socket: Socket) => void): Promise<TestSource> {
  const server = createTcpServer((socket) => {
    answer(socket)
    // a socket that does not read does not notice its end
    socket.resume()
  })
  return listen(t, server)
}

export async function listen(t: TestContext, server: Server | TcpServer, address?: string): Promise<TestSource> {
  const sockets = new Set<Socket>()
  const reached: string[] = []
  server.on('connection', (socket: Socket) => {
    reached.push((socket.localAddress ?? '').replace(/^::ffff:/, ''))
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, address)
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, reached, sockets }
}

/** Waits, at most 5 s. */
export async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !condition(); round++) await new Promise((resolve) => setTimeout(resolve, 10))
  if (!condition()) throw new Error('did not happen within 5 s')
}
