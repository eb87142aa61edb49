import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '../hosts/hosts.ts'

const inside = fileURLToPath(new URL('./isolated-network-inside.ts', import.meta.url))
const program = fileURLToPath(new URL('./isolated-network.sh', import.meta.url))

interface IsolatedNetwork {
  /** Runs CHROMIUM inside. */
  readonly executablePath: string
  readonly env: Record<string, string>
  readonly proxy: { readonly server: string; readonly bypass: string }
}

/**
 * Chromium aborts its loads when an address of its network is added or removed, which happens whenever another test
 * creates hosts. It therefore runs in a network namespace of its own, with a SOCKS proxy to the outside. Without root
 * no test creates such hosts, and no isolation is needed.
 */
export async function startIsolatedNetwork(
  t: { after(work: () => Promise<void>): void },
  chromium: string,
): Promise<IsolatedNetwork | undefined> {
  if (hostsNeedRoot) return undefined
  const child = fork(inside, { execPath: 'unshare', execArgv: ['--net', process.execPath] })
  t.after(async () => {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  })
  // a listening socket stays in the network namespace in which it was created, whichever process accepts its connections
  const [port, server] = (await once(child, 'message')) as [number, Server]
  server.on('connection', (socket) => void proxyOut(socket).catch(() => socket.destroy()))
  t.after(async () => void server.close())
  return {
    executablePath: program,
    env: { CHROMIUM: chromium, ISOLATED_NETWORK: `${child.pid}` },
    proxy: { server: `socks5://127.0.0.1:${port}`, bypass: '<-loopback>' },
  }
}

/** RFC 1928 as far as Chromium speaks it to a proxy without a password. */
async function proxyOut(socket: Socket): Promise<void> {
  socket.on('error', () => socket.destroy())
  await once(socket, 'data')
  socket.write(Buffer.from([5, 0]))
  const [request] = (await once(socket, 'data')) as [Buffer]
  const isName = request[3] === 3
  const host = isName ? request.toString('latin1', 5, request.length - 2) : request.subarray(4, 8).join('.')
  const target = connect({ host, port: request.readUInt16BE(request.length - 2) })
  target.on('error', () => socket.destroy())
  socket.on('close', () => target.destroy())
  target.on('close', () => socket.destroy())
  await once(target, 'connect')
  socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  socket.pipe(target).pipe(socket)
}
