import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** A way to a PostgreSQL that a test can close, as a fallen server does, or hold up, as a lost network does. */
export class DatabaseGate {
  readonly #target: URL
  readonly #address: string
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()
  #port = 0
  #isFrozen = false
  #lostAfter: string | undefined

  private constructor(url: string, address: string) {
    this.#target = new URL(url)
    this.#address = address
    this.#listener = createServer((outer) => this.#admit(outer))
  }

  /** `url` as `freshPostgresDatabase` gives it: a socket in the folder that it names as its host. */
  static async to(
    url: string,
    t: { after(work: () => Promise<void>): void },
    address = '127.0.0.1',
  ): Promise<DatabaseGate> {
    const gate = new DatabaseGate(url, address)
    await gate.open()
    t.after(() => gate.close())
    return gate
  }

  /** The database through the gate. */
  get url(): string {
    const through = new URL(this.#target)
    through.host = `${this.#address}:${this.#port}`
    through.search = ''
    return through.href
  }

  async open(): Promise<void> {
    this.#isFrozen = false
    this.#listener.listen(this.#port, this.#address)
    await once(this.#listener, 'listening')
    this.#port = (this.#listener.address() as AddressInfo).port
  }

  /** Every connection breaks, and no new one comes through. */
  async close(): Promise<void> {
    const closed = this.#listener.listening ? once(this.#listener, 'close') : undefined
    this.#listener.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Nothing passes any more, on old connections and on new ones, and nobody is told. */
  freeze(): void {
    this.#isFrozen = true
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  /** For new connections; those that stood still remain as they are, as after a failover behind the same address. */
  thaw(): void {
    this.#isFrozen = false
  }

  /** Once, of a connection that has sent this: the answer to its commit is lost, and the connection with it. */
  loseCommitAfter(sent: string): void {
    this.#lostAfter = sent
  }

  #admit(outer: Socket): void {
    const path = join(this.#target.searchParams.get('host') ?? '', `.s.PGSQL.${this.#target.port || 5432}`)
    const inner = createConnection(path)
    this.#tie(outer, inner)
    this.#tie(inner, outer)
    this.#loseCommit(outer, inner)
    if (!this.#isFrozen) outer.pipe(inner).pipe(outer)
  }

  #loseCommit(outer: Socket, inner: Socket): void {
    let hasSent = false
    outer.prependListener('data', (sent: Buffer) => {
      if (this.#lostAfter === undefined || !sent.includes(this.#lostAfter)) return
      hasSent = true
      this.#lostAfter = undefined
    })
    inner.prependListener('data', (answer: Buffer) => {
      if (hasSent && answer.includes('COMMIT\0')) outer.destroy()
    })
    // listening has set them in motion
    for (const socket of [outer, inner]) socket.pause()
  }

  #tie(socket: Socket, other: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      other.destroy()
    })
  }
}
