import { serviceType, type Txt, txtKeys } from '@wharf/announcer/service-type.ts'
import { type AddressRecords, maxTtlMs } from './address-records.ts'
import { Backoff } from './backoff.ts'

/** A host name on a link, with its services. */
export interface AnnouncedHost {
  readonly name: string
  readonly addresses: AddressRecords
  readonly services: Set<AnnouncedService>
}

/** RFC 6762, 5.2: the share of its lifetime after which a record is queried again. */
const queryAt = 0.8

/** One announcement, assembled from the records of its name. It is complete when it has a host and its facts. */
export class AnnouncedService {
  readonly link: string
  readonly name: string
  host: AnnouncedHost | undefined
  #facts: Txt | undefined
  #receivedAt: number
  #validUntil: number
  #serverUntil = Number.POSITIVE_INFINITY
  readonly #refreshAt = { SRV: Number.POSITIVE_INFINITY, TXT: Number.POSITIVE_INFINITY }
  readonly #queries = new Backoff()

  constructor(link: string, name: string, now: number, ttlMs: number) {
    this.link = link
    this.name = name
    this.#receivedAt = now
    this.#validUntil = now + Math.min(ttlMs, maxTtlMs)
  }

  receive(now: number, ttlMs: number): void {
    this.#receivedAt = now
    this.#validUntil = now + Math.min(ttlMs, maxTtlMs)
  }

  /** True when they have changed. */
  receiveFacts(strings: readonly string[], now: number, ttlMs: number): boolean {
    const facts = factsIn(strings)
    const isChanged = txtKeys.some((key) => facts[key] !== this.#facts?.[key]) || this.#facts === undefined
    this.#facts = facts
    this.receiveDetail('TXT', now, ttlMs)
    return isChanged
  }

  /** SRV and TXT are queried together, when the first of them is due. */
  receiveDetail(type: 'SRV' | 'TXT', now: number, ttlMs: number): void {
    const validMs = Math.min(ttlMs, maxTtlMs)
    this.#refreshAt[type] = now + queryAt * validMs
    if (type === 'SRV') this.#serverUntil = now + validMs
    if (this.isComplete) this.#queries.reset(this.#staleAt)
  }

  takeDue(now: number): boolean {
    return (!this.isComplete || now >= this.#staleAt) && this.#queries.takeDue(now)
  }

  get #staleAt(): number {
    return Math.min(this.#refreshAt.SRV, this.#refreshAt.TXT)
  }

  get facts(): Txt {
    return this.#facts ?? {}
  }

  get isComplete(): boolean {
    return this.host !== undefined && this.#facts !== undefined
  }

  /** A host is present while it has an address. */
  get isPresent(): boolean {
    return this.isComplete && this.host?.addresses.isEmpty === false
  }

  /** The service has ended, although others may still announce the host's addresses. */
  isServerLost(now: number): boolean {
    return this.host !== undefined && now >= this.#serverUntil
  }

  isExpired(now: number): boolean {
    return !this.isPresent && now >= this.#validUntil
  }

  get receivedAt(): number {
    return this.#receivedAt
  }

  /** RFC 6762, 7.1: a known answer suppresses responses; undefined when a response would be useful. */
  knownSeconds(now: number): number | undefined {
    const isFresh = this.isPresent && now < this.#staleAt && this.#validUntil - now > maxTtlMs / 2
    return isFresh ? Math.floor((this.#validUntil - now) / 1000) : undefined
  }
}

export const isServiceName = (key: string): boolean => key.endsWith(`.${serviceType}`)

/** RFC 6763, 6.4: keys are case-insensitive, the first of equal ones counts, and a string without "=" is ignored. */
function factsIn(strings: readonly string[]): Txt {
  const pairs = new Map<string, string>()
  for (const text of strings) {
    const at = text.indexOf('=')
    const key = text.slice(0, Math.max(at, 0)).toLowerCase()
    if (key !== '' && !pairs.has(key)) pairs.set(key, text.slice(at + 1))
  }
  return Object.fromEntries(txtKeys.map((key) => [key, pairs.get(key.toLowerCase())]))
}
