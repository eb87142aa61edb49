import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { SeededRandom } from './seeded-random.ts'

/** Where a connection breaks: in the request, after it, before the answer, or in the middle of the answer. */
const cuts = ['request', 'work', 'answer', 'half answer'] as const
export type Cut = (typeof cuts)[number]

interface PlannedCut {
  readonly cut: Cut
  /** The connection breaks in this exchange, the first being 1. */
  readonly exchange: number
}

/** A proxy to one or several servers that breaks every connection after a few exchanges. */
export class LossyNetwork {
  readonly cuts: Record<Cut, number> = { request: 0, work: 0, answer: 0, 'half answer': 0 }
  readonly #targets: readonly URL[]
  readonly #random: SeededRandom
  readonly #maxExchanges: number
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()
  #connections = 0

  private constructor(urls: readonly string[], random: SeededRandom, maxExchanges: number) {
    this.#targets = urls.map((url) => new URL(url))
    this.#random = random
    this.#maxExchanges = maxExchanges
    this.#listener = createServer((client) => this.#accept(client))
  }

  /** A connection lasts for one to `maxExchanges` requests, the last of which is lost. */
  static async to(
    urls: readonly string[],
    t: { after(work: () => Promise<void>): void },
    { random, maxExchanges }: { random: SeededRandom; maxExchanges: number },
  ): Promise<LossyNetwork> {
    const network = new LossyNetwork(urls, random, maxExchanges)
    network.#listener.listen(0, '127.0.0.1')
    await once(network.#listener, 'listening')
    t.after(async () => {
      network.#listener.close()
      for (const socket of network.#sockets) socket.destroy()
    })
    return network
  }

  /** Each connection reaches one of the servers. */
  get url(): string {
    const through = new URL(this.#targets[0] ?? '')
    through.port = String((this.#listener.address() as AddressInfo).port)
    return through.href.replace(/\/$/, '')
  }

  #accept(client: Socket): void {
    const random = this.#random.fork(this.#connections++)
    const { hostname, port } = random.pick(this.#targets)
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    this.#forward(client, upstream, { cut: random.pick(cuts), exchange: random.between(1, this.#maxExchanges) }, random)
  }

  #forward(client: Socket, upstream: Socket, { cut, exchange: last }: PlannedCut, random: SeededRandom): void {
    let exchange = 1
    let requestBytes: Buffer = Buffer.alloc(0)
    let isBroken = false
    /** What was forwarded stays; the connection ends with FIN or RST. */
    const cutOff = (): void => {
      this.cuts[cut]++
      for (const socket of [client, upstream]) {
        if (random.happens(0.5)) socket.resetAndDestroy()
        else socket.destroy()
      }
    }
    const forwardPart = (to: Socket, bytes: Buffer, length: number): void => {
      isBroken = true
      if (length === 0) cutOff()
      else to.write(bytes.subarray(0, length), cutOff)
    }
    client.on('data', (bytes: Buffer) => {
      if (isBroken) return
      requestBytes = Buffer.concat([requestBytes, bytes])
      if (exchange === last && cut === 'request') forwardPart(upstream, bytes, random.between(0, bytes.length - 1))
      else if (exchange === last && cut === 'work' && isWholeRequest(requestBytes))
        forwardPart(upstream, bytes, bytes.length)
      else upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (isBroken) return
      if (exchange === last && cut === 'answer') forwardPart(client, bytes, 0)
      else if (exchange === last && cut === 'half answer')
        forwardPart(client, bytes, random.between(1, bytes.length - 1))
      else client.write(bytes)
      // answers are small: each arrives in one chunk
      exchange++
      requestBytes = Buffer.alloc(0)
    })
  }
}

/** Whether these bytes are a whole HTTP/1.1 request; a body has a content-length. */
function isWholeRequest(bytes: Buffer): boolean {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return false
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(bytes.toString('latin1', 0, head)) ?? []
  return bytes.length >= head + 4 + Number(length)
}
