import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wharf/testkit'
import type { Chance } from '../chance.ts'

export interface Restlessness {
  readonly chance: Chance
  /** It may come back to any of them. */
  readonly clients: readonly Client[]
  /** The last event before the story begins. */
  readonly from: number
  /** At most so many in one connection. */
  readonly maxEvents: number
}

const maxConnectionMs = 200
const maxPauseMs = 50
const maxDeafMs = 100
/** Some have enough after a few events already, in the middle of what they are being sent. */
const few = 20
const answerMs = 120_000

/** Reads for a while, hangs up, and comes back with the number of the last event that it has. */
export class RestlessReader {
  /** The number of every event, as it came. */
  readonly heard: number[] = []
  connections = 0
  /** Those of them in which not one event came. */
  inVain = 0
  readonly #told: Map<number, string>
  readonly #options: Restlessness
  #last: number

  /** `told`: what all readers were told of each event; it must be the same. */
  constructor(options: Restlessness, told: Map<number, string>) {
    this.#options = options
    this.#told = told
    this.#last = options.from
  }

  get last(): number {
    return this.#last
  }

  async read(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const before = this.heard.length
      this.connections++
      await this.#connect()
      if (this.heard.length === before) this.inVain++
      // at once, and the node it comes to may not have heard what it has heard
      const { chance } = this.#options
      if (chance.happens(0.5)) await delay(chance.between(0, maxPauseMs))
    }
  }

  async #connect(): Promise<void> {
    const { chance, clients, maxEvents } = this.#options
    const response = await openStream(chance.pick(clients), this.#last)
    assert.equal(response.statusCode, 200)
    let enough = chance.between(1, chance.happens(0.3) ? few : maxEvents)
    let pending = ''
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
    response.setEncoding('utf8').on('error', end).on('close', end)
    // the server has to wait for it, or to let go of it
    if (chance.happens(0.1)) await delay(chance.between(1, maxDeafMs))
    const timer = setTimeout(end, chance.between(1, maxConnectionMs))
    response.on('data', (text: string) => {
      const blocks = (pending + text).split('\n\n')
      pending = blocks.pop() ?? ''
      try {
        for (const block of blocks) if (enough > 0 && this.#take(block)) enough--
      } catch (error) {
        fail(error)
      }
      if (enough === 0) end()
    })
    await ended.finally(() => {
      clearTimeout(timer)
      enough = 0
      response.destroy()
    })
  }

  /** False for what is no event, such as a sign of life. */
  #take(block: string): boolean {
    const [, number, data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? []
    if (number === undefined) {
      assert.match(block, /^:/)
      return false
    }
    const id = Number(number)
    assert.ok(id > this.#last, `event ${id} came after ${this.#last}`)
    const told = this.#told.get(id)
    if (told === undefined) this.#told.set(id, data)
    else assert.equal(data, told, `event ${id} is told in two ways`)
    this.heard.push(id)
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
