import { type Message, nameKey, type ResourceRecord } from './dns/message.ts'
import type { Sender } from './multicast/ports.ts'
import { goodbyeOf, type HostRecords, type Names } from './records.ts'
import { legacyResponse, matchingRecords, multicastResponse } from './responses.ts'

/** RFC 6762, 8.1 and 8.3 */
const probes = 3
const probePauseMs = 250
const announcements = 2
const announcePauseMs = 1000
/** RFC 6762, 8.2: the loser of a simultaneous probe waits before it probes again. */
const deferMs = 1000
/** RFC 6762, 6: a random delay for shared records, and at most one multicast of a record per second. */
const responseDelayMs = { min: 20, max: 120 }
const minIntervalMs = 1000

interface LinkAnnouncerOptions {
  readonly names: Names
  readonly records: HostRecords
  readonly ownAddresses: ReadonlySet<string>
  send(message: Partial<Message>): Promise<void>
  /** Another host uses one of the names. */
  onConflict(): void
}

/** Announces one host on one link: probes, announcements, responses and the goodbye. */
export class LinkAnnouncer {
  readonly #options: LinkAnnouncerOptions
  readonly #pending = new Set<ResourceRecord>()
  #isAnnounced = false
  #nextStep: NodeJS.Timeout | undefined
  #response: NodeJS.Timeout | undefined
  #lastSentAt = Number.NEGATIVE_INFINITY

  constructor(options: LinkAnnouncerOptions) {
    this.#options = options
  }

  start(delayMs = Math.random() * probePauseMs): void {
    this.#isAnnounced = false
    this.#clearTimers()
    this.#schedule(delayMs, () => this.#probe(probes))
  }

  stop(): void {
    this.#isAnnounced = false
    this.#clearTimers()
  }

  async goodbye(): Promise<void> {
    const wasAnnounced = this.#isAnnounced
    this.stop()
    if (wasAnnounced) await this.#options.send({ isResponse: true, answers: goodbyeOf(this.#options.records) })
  }

  receive(message: Message, from: Sender): void {
    if (message.isResponse) this.#checkConflicts(message, from)
    else if (this.#isAnnounced) this.#respond(message, from)
    else if (message.authorities.some((record) => isConflict(record, this.#options)))
      this.start(deferMs * (0.5 + Math.random()))
  }

  #respond(message: Message, from: Sender): void {
    const matching = matchingRecords(message, this.#options.records)
    if (matching.length === 0) return
    if (from.isMulticast) this.#respondLater(matching)
    else from.reply(legacyResponse(message, matching))
  }

  #checkConflicts({ answers, additionals }: Message, { isMulticast }: Sender): void {
    if (!isMulticast || ![...answers, ...additionals].some((record) => isConflict(record, this.#options))) return
    // RFC 6762, 9: probe the name again; the host renames itself when the other host defends it
    if (this.#isAnnounced) this.start()
    else this.#options.onConflict()
  }

  #probe(left: number): void {
    const { names, records, send } = this.#options
    const questions = [names.host, names.instance].map((name) => ({ name, type: 'ANY' as const }))
    void send({ questions, authorities: records.unique.map((record) => ({ ...record, flush: false })) })
    this.#schedule(probePauseMs, () => (left > 1 ? this.#probe(left - 1) : this.#announce(announcements)))
  }

  #announce(left: number): void {
    this.#isAnnounced = true
    const { shared, unique } = this.#options.records
    this.#sendRecords([...shared, ...unique])
    if (left > 1) this.#schedule(announcePauseMs, () => this.#announce(left - 1))
  }

  #respondLater(records: readonly ResourceRecord[]): void {
    for (const record of records) this.#pending.add(record)
    if (this.#response) return
    const { min, max } = responseDelayMs
    const isShared = records.some(({ flush }) => !flush)
    const delayMs = isShared ? min + Math.random() * (max - min) : 0
    const waitMs = Math.max(delayMs, this.#lastSentAt + minIntervalMs - performance.now())
    this.#response = setTimeout(() => this.#sendRecords([...this.#pending]), waitMs)
  }

  #sendRecords(records: readonly ResourceRecord[]): void {
    clearTimeout(this.#response)
    this.#response = undefined
    this.#pending.clear()
    this.#lastSentAt = performance.now()
    void this.#options.send(multicastResponse(records, this.#options.records))
  }

  #schedule(ms: number, work: () => void): void {
    this.#nextStep = setTimeout(work, ms)
  }

  #clearTimers(): void {
    clearTimeout(this.#nextStep)
    clearTimeout(this.#response)
    this.#response = undefined
    this.#pending.clear()
  }
}

/** Every address of this machine is its own, on whichever link it is announced. */
function isConflict(
  record: ResourceRecord,
  { names, ownAddresses }: Pick<LinkAnnouncerOptions, 'names' | 'ownAddresses'>,
): boolean {
  if (record.ttlSeconds === 0) return false
  const name = nameKey(record.name)
  if (record.type === 'A' || record.type === 'AAAA')
    return name === nameKey(names.host) && !ownAddresses.has(record.address)
  return record.type === 'SRV' && name === nameKey(names.instance) && nameKey(record.target) !== nameKey(names.host)
}
