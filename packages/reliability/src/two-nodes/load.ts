import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '../seeded-random.ts'
import type { Calls } from './calls.ts'
import { type PackageWork, uuidOf } from './package-work.ts'
import type { NodeUnderTest } from './two-node-setup.ts'

const personCount = 60
const endpoints = '/v1/sns/application-endpoints/chatapp'
const kinds = ['create', 'create', 'change', 'change', 'read', 'read', 'job'] as const
/**
 * As many as a silent node delays until its clients try the other. Beyond that this machine cannot keep up, and calls
 * are skipped.
 */
const maxInFlight = 200

/** A record that is changed repeatedly; its remark counts the changes. */
interface Person {
  readonly uuid: string
  /** Acknowledged. */
  changes: number
  isBusy: boolean
}

/** Calls that start at a steady rate, regardless of earlier ones. */
export class Load {
  readonly createdNames = new Set<string>()
  readonly persons: readonly Person[]
  /** A record that was read and was not as the last acknowledged change had left it. */
  readonly staleReads: string[] = []
  started = 0
  #skipped = 0
  reads = 0
  readonly #calls: Calls
  readonly #work: PackageWork
  readonly #random: SeededRandom
  readonly #inFlight = new Set<Promise<void>>()
  #isOver = false
  #running: Promise<void> | undefined

  private constructor(persons: readonly Person[], parts: { calls: Calls; work: PackageWork; random: SeededRandom }) {
    this.persons = persons
    this.#calls = parts.calls
    this.#work = parts.work
    this.#random = parts.random
  }

  static async prepare(
    { client }: NodeUnderTest,
    parts: { calls: Calls; work: PackageWork; random: SeededRandom },
  ): Promise<Load> {
    const endpoint = { name: 'nobody', type: 'Slack', url: 'https://hooks.slack.com/services/nobody' }
    const endpointUuid = await uuidOf(client, endpoints, endpoint)
    const uuids = Array.from({ length: personCount }, (_, at) =>
      uuidOf(client, `${endpoints}/at-persons`, { userId: `person-${at}`, endpointUuid }),
    )
    const persons = (await Promise.all(uuids)).map((uuid) => ({ uuid, changes: 0, isBusy: false }))
    return new Load(persons, parts)
  }

  start(callsPerSecond: number): void {
    this.#running = this.#run(callsPerSecond)
  }

  /** Resolves when every started call is answered. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
    await Promise.all(this.#inFlight)
  }

  async #run(callsPerSecond: number): Promise<void> {
    const start = performance.now()
    while (!this.#isOver) {
      for (const due = ((performance.now() - start) * callsPerSecond) / 1000; this.started + this.#skipped < due; )
        if (this.#inFlight.size < maxInFlight) this.#startCall()
        else this.#skipped++
      await delay(5)
    }
  }

  #startCall(): void {
    this.started++
    const running = this.#one().finally(() => this.#inFlight.delete(running))
    this.#inFlight.add(running)
  }

  #one(): Promise<void> {
    const kind = this.#random.pick(kinds)
    const worker = kind === 'job' ? this.#idle(this.#work.workers) : undefined
    if (worker) return this.#work.advance(worker, this.#calls)
    const person = kind === 'create' ? undefined : this.#idle(this.persons)
    if (person === undefined) return this.#create()
    return kind === 'change' ? this.#change(person) : this.#read(person)
  }

  #idle<T extends { isBusy: boolean }>(all: readonly T[]): T | undefined {
    const idle = all.filter(({ isBusy }) => !isBusy)
    return idle.length === 0 ? undefined : this.#random.pick(idle)
  }

  async #create(): Promise<void> {
    const name = `tag-${this.started}`
    const call = { method: 'POST', path: '/v1/tags', body: { params: { name } }, key: randomUUID() } as const
    if (await this.#calls.settle(call)) this.createdNames.add(name)
  }

  async #change(person: Person): Promise<void> {
    person.isBusy = true
    const path = `${endpoints}/at-persons/${person.uuid}/actions`
    const body = { updateAtPerson: { remark: String(person.changes + 1) } }
    if (await this.#calls.settle({ method: 'PUT', path, body, key: randomUUID() })) person.changes++
    person.isBusy = false
  }

  async #read(person: Person): Promise<void> {
    person.isBusy = true
    this.reads++
    const answer = await this.#calls.settle({ method: 'GET', path: `${endpoints}/at-persons/${person.uuid}` })
    const [read] = (answer?.body.inventories ?? []) as { remark: string | null }[]
    if (answer && Number(read?.remark) !== person.changes)
      this.staleReads.push(`${person.uuid} was ${read?.remark}, not ${person.changes}`)
    person.isBusy = false
  }
}
