import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../seeded-random.ts'

export const chatTypes = ['DingTalk', 'WeCom', 'FeiShu', 'Slack', 'Teams'] as const
export type ChatType = (typeof chatTypes)[number]

const success: Record<ChatType, string> = {
  DingTalk: '{"errcode":0,"errmsg":"ok"}',
  WeCom: '{"errcode":0,"errmsg":"ok"}',
  FeiShu: '{"code":0,"msg":"success"}',
  Slack: 'ok',
  Teams: '1',
}
/** HTTP 200 with an error in the body. */
const failure: Record<ChatType, string> = {
  DingTalk: '{"errcode":-1,"errmsg":"system busy"}',
  WeCom: '{"errcode":-1,"errmsg":"system busy"}',
  FeiShu: '{"code":99991663,"msg":"busy"}',
  Slack: '{"ok":false,"error":"internal_error"}',
  Teams: '<html>sign in</html>',
}

export const mishaps = [
  'closed unread',
  'closed once read',
  'half an answer',
  'error status',
  'error in 200',
  'too many requests',
  'silence',
] as const
export type Mishap = (typeof mishaps)[number]

/** A request that was read to its end, in the order of arrival. */
interface Received {
  readonly mark: string
  readonly key: string
  /** The answer was a success and was sent completely. */
  readonly isAcknowledged: boolean
}

interface Options {
  readonly random: SeededRandom
  /** The server's clock, by which Retry-After is measured. */
  readonly clock: { now(): number }
  readonly maxSlowMs: number
}

const mishapShare = 0.45
const slowShare = 0.05
const maxThrottleSeconds = 40

/** The chat of one endpoint: fails nearly every second request, each with another failure. */
export class UnreliableChat {
  readonly received: Received[] = []
  readonly mishaps: Record<Mishap, number>
  /** Violations of the delivery rules. */
  readonly faults: string[] = []
  readonly #options: Options
  readonly #type: ChatType
  #pending = 0
  #throttledUntil = 0
  #url = ''

  private constructor(type: ChatType, options: Options) {
    this.#type = type
    this.#options = options
    this.mishaps = Object.fromEntries(mishaps.map((name) => [name, 0])) as Record<Mishap, number>
  }

  static async open(
    t: { after(work: () => Promise<void>): void },
    type: ChatType,
    options: Options,
  ): Promise<UnreliableChat> {
    const chat = new UnreliableChat(type, options)
    const server = createServer((request, response) => void chat.#handle(request, response).catch(() => {}))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(async () => {
      server.closeAllConnections()
      server.close()
    })
    chat.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    return chat
  }

  get url(): string {
    return this.#url
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { random, clock, maxSlowMs } = this.#options
    if (this.#pending > 0) this.faults.push('two requests at once')
    if (clock.now() < this.#throttledUntil) this.faults.push('a request before Retry-After')
    this.#pending++
    response.once('close', () => this.#pending--)
    const mishap = this.#next()
    if (mishap !== undefined) this.mishaps[mishap]++
    if (mishap === 'closed unread') return void request.socket.destroy()
    const [mark = ''] = /p\d+n\d+e/.exec(await text(request)) ?? []
    const key = String(request.headers['idempotency-key'])
    if (random.happens(slowShare)) await delay(random.between(1, maxSlowMs))
    this.received.push({ mark, key, isAcknowledged: mishap === undefined })
    if (mishap === undefined) response.end(success[this.#type])
    else this.#fail(mishap, response)
  }

  /** Silence costs a timeout, so it happens once. */
  #next(): Mishap | undefined {
    const { random } = this.#options
    const which = random.happens(mishapShare) ? random.pick(mishaps) : undefined
    return which === 'silence' && this.mishaps.silence > 0 ? 'closed once read' : which
  }

  #fail(mishap: Exclude<Mishap, 'closed unread'>, response: ServerResponse): void {
    const { random, clock } = this.#options
    if (mishap === 'silence') return
    if (mishap === 'closed once read') return void response.destroy()
    if (mishap === 'error in 200') return void response.end(failure[this.#type])
    if (mishap === 'error status') return void response.writeHead(random.pick([500, 502, 503, 504, 408])).end()
    if (mishap === 'half an answer') {
      const answer = success[this.#type]
      response.writeHead(200, { 'content-length': answer.length }).flushHeaders()
      response.write(answer.slice(0, random.between(0, answer.length - 1)))
      return void setImmediate(() => response.destroy())
    }
    const seconds = random.between(0, maxThrottleSeconds)
    response.writeHead(429, { 'retry-after': String(seconds) }).end()
    this.#throttledUntil = clock.now() + seconds * 1000
  }
}
