import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

interface Target {
  readonly address: string
  readonly port: number
}

/** A port in front of a host. `refuse` may keep a connection from it, by its number: it closes the socket or leaves it silent. */
export async function proxiedPort(
  t: { after(work: () => void): void },
  { address, port }: Target,
  refuse: (count: number, socket: Socket) => boolean,
) {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    count += 1
    sockets.add(socket.on('error', () => {}))
    if (refuse(count, socket)) return
    const further = dial(port, address).on('error', () => socket.destroy())
    sockets.add(further)
    socket.pipe(further).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, tries: () => count }
}
