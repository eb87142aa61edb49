import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** A way to a PostgreSQL that a test can close, as a fallen server does, or hold up, as a lost network does. */
export class DatabaseGate {
  /** The database through the gate. */
  readonly url: string
  readonly #sockets: Set<Socket>
  readonly #listener: Server
  readonly #port: number

  private constructor(url: string, listener: Server, sockets: Set<Socket>) {
    this.#listener = listener
    this.#sockets = sockets
    this.#port = (listener.address() as AddressInfo).port
    const through = new URL(url)
    through.host = `127.0.0.1:${this.#port}`
    through.search = ''
    this.url = through.href
  }

  /** `url` as `freshPostgresDatabase` gives it: a socket in the folder that it names as its host. */
  static async to(url: string, t: { after(work: () => Promise<void>): void }): Promise<DatabaseGate> {
    const target = new URL(url)
    const path = join(target.searchParams.get('host') ?? '', `.s.PGSQL.${target.port || 5432}`)
    const sockets = new Set<Socket>()
    const listener = createServer((outer) => {
      const inner = createConnection(path)
      for (const [socket, other] of [
        [outer, inner],
        [inner, outer],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
      }
      outer.pipe(inner).pipe(outer)
    }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const gate = new DatabaseGate(url, listener, sockets)
    t.after(() => gate.close())
    return gate
  }

  /** Every connection breaks, and no new one comes through. */
  async close(): Promise<void> {
    const closed = this.#listener.listening ? once(this.#listener, 'close') : undefined
    this.#listener.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async open(): Promise<void> {
    this.#listener.listen(this.#port, '127.0.0.1')
    await once(this.#listener, 'listening')
  }

  /** Nothing passes any more on the connections there are, and nobody is told. */
  freeze(): void {
    for (const socket of this.#sockets) socket.unpipe().pause()
  }
}
