import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** A proxy to PostgreSQL that a test can close, as a stopped server does, or freeze, as a lost network does. */
export class DatabaseProxy {
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
    this.#listener = createServer((client) => this.#accept(client))
  }

  /** `url` as `freshPostgresDatabase` gives it: a socket in the folder that it names as its host. */
  static async to(
    url: string,
    t: { after(work: () => Promise<void>): void },
    address = '127.0.0.1',
  ): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(url, address)
    await proxy.open()
    t.after(() => proxy.close())
    return proxy
  }

  /** The database through the proxy. */
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

  /** Every connection breaks, and new ones are refused. */
  async close(): Promise<void> {
    const closed = this.#listener.listening ? once(this.#listener, 'close') : undefined
    this.#listener.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  /** Forwards nothing any more, on existing and new connections, without closing them. */
  freeze(): void {
    this.#isFrozen = true
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  /** For new connections; frozen ones stay frozen, as after a failover behind the same address. */
  thaw(): void {
    this.#isFrozen = false
  }

  /** Drops, once, the answer to the commit of a connection that has sent this, and the connection with it. */
  loseCommitAfter(sent: string): void {
    this.#lostAfter = sent
  }

  #accept(client: Socket): void {
    const path = join(this.#target.searchParams.get('host') ?? '', `.s.PGSQL.${this.#target.port || 5432}`)
    const upstream = createConnection(path)
    this.#track(client, upstream)
    this.#track(upstream, client)
    this.#loseCommit(client, upstream)
    if (!this.#isFrozen) client.pipe(upstream).pipe(client)
  }

  #loseCommit(client: Socket, upstream: Socket): void {
    let hasSent = false
    client.prependListener('data', (sent: Buffer) => {
      if (this.#lostAfter === undefined || !sent.includes(this.#lostAfter)) return
      hasSent = true
      this.#lostAfter = undefined
    })
    upstream.prependListener('data', (answer: Buffer) => {
      if (hasSent && answer.includes('COMMIT\0')) client.destroy()
    })
    // adding a data listener has started them
    for (const socket of [client, upstream]) socket.pause()
  }

  #track(socket: Socket, other: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      other.destroy()
    })
  }
}
