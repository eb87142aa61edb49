import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Chance } from './chance.ts'
import { isWholeRequest } from './whole-request.ts'

/** Where a connection breaks: in the request, once that is there, before the answer passes, in the middle of it. */
const cuts = ['request', 'work', 'answer', 'half answer'] as const
export type Cut = (typeof cuts)[number]

interface Fate {
  readonly cut: Cut
  /** The connection breaks in this exchange, the first being 1. */
  readonly exchange: number
}

/** A way to one or several servers on which every connection breaks before long. */
export class LossyNetwork {
  readonly cuts: Record<Cut, number> = { request: 0, work: 0, answer: 0, 'half answer': 0 }
  readonly #targets: readonly URL[]
  readonly #chance: Chance
  readonly #maxExchanges: number
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()
  #connections = 0

  private constructor(urls: readonly string[], chance: Chance, maxExchanges: number) {
    this.#targets = urls.map((url) => new URL(url))
    this.#chance = chance
    this.#maxExchanges = maxExchanges
    this.#listener = createServer((outer) => this.#admit(outer))
  }

  /** A connection lasts for one to `maxExchanges` requests, the last of which is lost in some way. */
  static async to(
    urls: readonly string[],
    t: { after(work: () => Promise<void>): void },
    { chance, maxExchanges }: { chance: Chance; maxExchanges: number },
  ): Promise<LossyNetwork> {
    const network = new LossyNetwork(urls, chance, maxExchanges)
    network.#listener.listen(0, '127.0.0.1')
    await once(network.#listener, 'listening')
    t.after(async () => {
      network.#listener.close()
      for (const socket of network.#sockets) socket.destroy()
    })
    return network
  }

  /** Of the servers, whichever a connection leads to. */
  get url(): string {
    const through = new URL(this.#targets[0] ?? '')
    through.port = String((this.#listener.address() as AddressInfo).port)
    return through.href.replace(/\/$/, '')
  }

  #admit(outer: Socket): void {
    const chance = this.#chance.of(this.#connections++)
    const { hostname, port } = chance.pick(this.#targets)
    const inner = connect(Number(port), hostname)
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
    this.#pass(outer, inner, { cut: chance.pick(cuts), exchange: chance.between(1, this.#maxExchanges) }, chance)
  }

  #pass(outer: Socket, inner: Socket, { cut, exchange: last }: Fate, chance: Chance): void {
    let exchange = 1
    let asked: Buffer = Buffer.alloc(0)
    let isBroken = false
    /** What the other side has got by then it keeps; the end comes politely or not. */
    const cutOff = (): void => {
      this.cuts[cut]++
      for (const socket of [outer, inner]) {
        if (chance.happens(0.5)) socket.resetAndDestroy()
        else socket.destroy()
      }
    }
    const passPart = (to: Socket, bytes: Buffer, length: number): void => {
      isBroken = true
      if (length === 0) cutOff()
      else to.write(bytes.subarray(0, length), cutOff)
    }
    outer.on('data', (bytes: Buffer) => {
      if (isBroken) return
      asked = Buffer.concat([asked, bytes])
      if (exchange === last && cut === 'request') passPart(inner, bytes, chance.between(0, bytes.length - 1))
      else if (exchange === last && cut === 'work' && isWholeRequest(asked)) passPart(inner, bytes, bytes.length)
      else inner.write(bytes)
    })
    inner.on('data', (bytes: Buffer) => {
      if (isBroken) return
      if (exchange === last && cut === 'answer') passPart(outer, bytes, 0)
      else if (exchange === last && cut === 'half answer') passPart(outer, bytes, chance.between(1, bytes.length - 1))
      else outer.write(bytes)
      // answers here are small: they come in one piece
      exchange++
      asked = Buffer.alloc(0)
    })
  }
}
