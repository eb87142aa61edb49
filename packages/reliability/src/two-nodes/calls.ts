import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'

/** The first timeout of a client, after which it tries the other node. */
const firstTimeoutMs = 3000
/** After one refusal a client tries the other node soon; after two it waits with backoff. */
const pauseMs = { other: 100, both: 1000, most: 4000 }
/** Longer than any fault of this test lasts. */
const giveUpMs = 120_000

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: object
  /** Of a call that changes something. */
  readonly key?: string
}

export interface Answered {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A node that was paused while the call was queued returns 408: it did nothing. */
const isRetryable = ({ status, retryAfter }: { status: number; retryAfter: number }): boolean =>
  status === 408 || (status === 503 && retryAfter > 0)

/** Calls of a client with two nodes: retried with the same key until one answers. */
export class Calls {
  /** All that was sent. */
  attempts = 0
  answered = 0
  /** Of those that were answered, the ones that had to be sent more than once. */
  repeated = 0
  readonly answeredBy = [0, 0]
  /** Neither an answer to the call nor a reason to send it again. */
  readonly unexpected: { readonly at: number; readonly what: string }[] = []
  readonly #clients: readonly Client[]
  readonly #random: SeededRandom

  constructor(clients: readonly Client[], random: SeededRandom) {
    this.#clients = clients
    this.#random = random
  }

  /** Undefined when it failed permanently. */
  async settle(call: Call): Promise<Answered | undefined> {
    const deadline = performance.now() + giveUpMs
    const first = this.#random.between(0, 1)
    for (let attempt = 0; performance.now() < deadline; attempt++) {
      const node = (first + attempt) % 2
      const round = Math.floor(attempt / 2)
      const waitMs = firstTimeoutMs * Math.min(2 ** round, 4)
      const answer = await this.#attempt(this.#clients[node] as Client, call, waitMs).catch(() => undefined)
      if (answer !== undefined && answer.status < 300) {
        this.answered++
        this.answeredBy[node] = (this.answeredBy[node] ?? 0) + 1
        if (attempt > 0) this.repeated++
        return answer
      }
      if (answer !== undefined && !isRetryable(answer))
        return this.#reportUnexpected(call, `${answer.status} ${answer.text}`)
      const { other, both, most } = pauseMs
      await delay(attempt % 2 === 0 ? other : Math.min(both * 2 ** round, most) * (0.5 + this.#random.fraction()))
    }
    return this.#reportUnexpected(call, 'never answered')
  }

  #reportUnexpected({ method, path, key }: Call, what: string): undefined {
    this.unexpected.push({ at: Date.now(), what: `${method} ${path} (${key ?? 'no key'}): ${what}` })
  }

  async #attempt(client: Client, { method, path, body, key }: Call, waitMs: number) {
    this.attempts++
    const response = await client.fetch(method, path, {
      headers: {
        prefer: 'respond-async',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(waitMs),
    })
    const text = await response.text()
    const retryAfter = Number(response.headers.get('retry-after'))
    return { status: response.status, text, retryAfter, body: response.status < 300 ? JSON.parse(text) : {} }
  }
}
