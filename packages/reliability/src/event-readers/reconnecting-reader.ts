import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'

export interface ReaderOptions {
  readonly random: SeededRandom
  /** It may reconnect to any of them. */
  readonly clients: readonly Client[]
  /** The last event before the scenario starts. */
  readonly from: number
  /** At most so many in one connection. */
  readonly maxEvents: number
}

const maxConnectionMs = 200
const maxPauseMs = 50
const maxStallMs = 100
/** Some disconnect after a few events, in the middle of a batch. */
const few = 20
const answerMs = 120_000

/** Reads for a while, disconnects, and reconnects with the number of its last event. */
export class ReconnectingReader {
  /** The number of every event, in order of arrival. */
  readonly received: number[] = []
  connections = 0
  /** Those of them in which no event arrived. */
  emptyConnections = 0
  readonly #payloads: Map<number, string>
  readonly #options: ReaderOptions
  #last: number

  /** `payloads`: what the readers received of each event; it must be equal. */
  constructor(options: ReaderOptions, payloads: Map<number, string>) {
    this.#options = options
    this.#payloads = payloads
    this.#last = options.from
  }

  get last(): number {
    return this.#last
  }

  async read(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const before = this.received.length
      this.connections++
      await this.#connect()
      if (this.received.length === before) this.emptyConnections++
      // sometimes at once: the other node may not have seen the reader's last event yet
      const { random } = this.#options
      if (random.happens(0.5)) await delay(random.between(0, maxPauseMs))
    }
  }

  async #connect(): Promise<void> {
    const { random, clients, maxEvents } = this.#options
    const response = await openStream(random.pick(clients), this.#last)
    assert.equal(response.statusCode, 200)
    let remaining = random.between(1, random.happens(0.3) ? few : maxEvents)
    let pending = ''
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
    response.setEncoding('utf8').on('error', end).on('close', end)
    // the server has to buffer for it or drop it
    if (random.happens(0.1)) await delay(random.between(1, maxStallMs))
    const timer = setTimeout(end, random.between(1, maxConnectionMs))
    response.on('data', (text: string) => {
      const blocks = (pending + text).split('\n\n')
      pending = blocks.pop() ?? ''
      try {
        for (const block of blocks) if (remaining > 0 && this.#take(block)) remaining--
      } catch (error) {
        fail(error)
      }
      if (remaining === 0) end()
    })
    await ended.finally(() => {
      clearTimeout(timer)
      remaining = 0
      response.destroy()
    })
  }

  /** False for what is not an event, such as a heartbeat. */
  #take(block: string): boolean {
    const [, number, data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? []
    if (number === undefined) {
      assert.match(block, /^:/)
      return false
    }
    const id = Number(number)
    assert.ok(id > this.#last, `event ${id} arrived after ${this.#last}`)
    const payloads = this.#payloads.get(id)
    if (payloads === undefined) this.#payloads.set(id, data)
    else assert.equal(data, payloads, `event ${id} has two different payloads`)
    this.received.push(id)
    this.#last = id
    return true
  }
}

async function openStream(client: Client, last: number): Promise<IncomingMessage> {
  const path = '/v1/events'
  const headers = { ...client.authorization('GET', path), 'last-event-id': String(last) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = get(client.url + path, { headers, agent: false }, resolve).on('error', reject)
  request.setTimeout(answerMs, () => request.destroy(new Error('the stream does not open')))
  return promise
}
