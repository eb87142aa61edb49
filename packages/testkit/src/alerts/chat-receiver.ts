import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** What a vendor's server does with one request. */
export type ChatAnswer =
  | 'ok'
  /** Reads the request and never answers. */
  | 'silence'
  /** Closes the connection once it has read the request. */
  | 'reset'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

export interface ReceivedChat {
  readonly path: string
  readonly key: string
  readonly body: string
  /** Whether it was answered with success. */
  readonly isAccepted: boolean
  readonly at: number
}

/** What each vendor under test returns on success: DingTalk and WeCom read errcode, FeiShu code, Slack the text. */
const success: Readonly<Record<string, string>> = {
  DingTalk: '{"errcode":0,"errmsg":"ok"}',
  WeCom: '{"errcode":0,"errmsg":"ok"}',
  FeiShu: '{"code":0,"msg":"success"}',
  Slack: 'ok',
  Teams: '1',
}

/** A web server on loopback that imitates the chat vendors: it records every request and answers by script. */
export class ChatReceiver {
  readonly requests: ReceivedChat[] = []
  /** The highest number of concurrent requests, by path. */
  readonly maxConcurrent = new Map<string, number>()
  readonly #pending = new Map<string, number>()
  readonly #scripts = new Map<string, ChatAnswer[]>()
  #origin = ''

  static async start(t: { after(work: () => Promise<void>): void }): Promise<ChatReceiver> {
    const receiver = new ChatReceiver()
    const server = createServer((request, response) => void receiver.#take(request, response).catch(() => {}))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    receiver.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    t.after(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    return receiver
  }

  /** A webhook's URL. It returns these answers in order, then 'ok' indefinitely. */
  webhookUrl(type: string, secret: string, ...answers: ChatAnswer[]): string {
    const path = `/${type}/${secret}`
    this.#scripts.set(path, answers)
    return this.#origin + path
  }

  /** What an idempotent receiver stores: each message once, in the order of acceptance. */
  accepted(secret: string): ReceivedChat[] {
    const seen = new Set<string>()
    return this.requests.filter(({ path, key, isAccepted }) => {
      if (!isAccepted || !path.endsWith(`/${secret}`) || seen.has(key)) return false
      seen.add(key)
      return true
    })
  }

  requestsOf(secret: string): ReceivedChat[] {
    return this.requests.filter(({ path }) => path.endsWith(`/${secret}`))
  }

  /** Waits until this many messages are accepted. */
  async waitForMessages(secret: string, count: number, limitMs = 20_000): Promise<ReceivedChat[]> {
    for (const began = performance.now(); this.accepted(secret).length < count; await delay(10))
      if (performance.now() - began > limitMs)
        throw new Error(`${this.accepted(secret).length} of ${count} messages arrived at ${secret}`)
    return this.accepted(secret)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', 'http://x').pathname
    const count = (this.#pending.get(path) ?? 0) + 1
    this.#pending.set(path, count)
    this.maxConcurrent.set(path, Math.max(count, this.maxConcurrent.get(path) ?? 0))
    response.once('close', () => this.#pending.set(path, (this.#pending.get(path) ?? 1) - 1))
    const body = await text(request)
    const answer = this.#scripts.get(path)?.shift() ?? 'ok'
    const key = String(request.headers['idempotency-key'])
    this.requests.push({ path, key, body, isAccepted: answer === 'ok', at: performance.now() })
    if (answer === 'silence') return
    if (answer === 'reset') request.socket.destroy()
    else if (answer === 'ok') response.end(success[path.split('/')[1] ?? ''] ?? 'ok')
    else response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
  }
}
