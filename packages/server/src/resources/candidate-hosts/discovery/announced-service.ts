import { serviceType, type Txt, txtKeys } from '@wharf/announcer/service-type.ts'
import { type AddressRecords, maxTtlMs } from './address-records.ts'
import { Backoff } from './backoff.ts'

/** A host name on a link, with those that are served from it. */
export interface AnnouncedHost {
  readonly name: string
  readonly addresses: AddressRecords
  readonly services: Set<AnnouncedService>
}

/** RFC 6762, 5.2: when four fifths of its time have passed it is asked whether a record still holds. */
const askAt = 0.8

/** One announcement, put together from the records of its name. It is whole when it has a host and its facts. */
export class AnnouncedService {
  readonly link: string
  readonly name: string
  host: AnnouncedHost | undefined
  #facts: Txt | undefined
  #heardAt: number
  #holdsUntil: number
  #serverUntil = Number.POSITIVE_INFINITY
  readonly #refreshAt = { SRV: Number.POSITIVE_INFINITY, TXT: Number.POSITIVE_INFINITY }
  readonly #ask = new Backoff()

  constructor(link: string, name: string, now: number, ttlMs: number) {
    this.link = link
    this.name = name
    this.#heardAt = now
    this.#holdsUntil = now + Math.min(ttlMs, maxTtlMs)
  }

  hear(now: number, ttlMs: number): void {
    this.#heardAt = now
    this.#holdsUntil = now + Math.min(ttlMs, maxTtlMs)
  }

  /** True when they are others than before. */
  hearFacts(strings: readonly string[], now: number, ttlMs: number): boolean {
    const facts = factsIn(strings)
    const isChanged = txtKeys.some((key) => facts[key] !== this.#facts?.[key]) || this.#facts === undefined
    this.#facts = facts
    this.hearDetail('TXT', now, ttlMs)
    return isChanged
  }

  /** The other of the two may be due earlier: they are asked for together. */
  hearDetail(type: 'SRV' | 'TXT', now: number, ttlMs: number): void {
    const holdsMs = Math.min(ttlMs, maxTtlMs)
    this.#refreshAt[type] = now + askAt * holdsMs
    if (type === 'SRV') this.#serverUntil = now + holdsMs
    if (this.isWhole) this.#ask.reset(this.#staleAt)
  }

  takeDue(now: number): boolean {
    return (!this.isWhole || now >= this.#staleAt) && this.#ask.takeDue(now)
  }

  get #staleAt(): number {
    return Math.min(this.#refreshAt.SRV, this.#refreshAt.TXT)
  }

  get facts(): Txt {
    return this.#facts ?? {}
  }

  get isWhole(): boolean {
    return this.host !== undefined && this.#facts !== undefined
  }

  /** Presence is that of the addresses. */
  get isPresent(): boolean {
    return this.isWhole && this.host?.addresses.isEmpty === false
  }

  /** Nobody serves it any more, though others may go on to tell of the host's addresses. */
  isServerGone(now: number): boolean {
    return this.host !== undefined && now >= this.#serverUntil
  }

  isForgettable(now: number): boolean {
    return !this.isPresent && now >= this.#holdsUntil
  }

  get heardAt(): number {
    return this.#heardAt
  }

  /** RFC 6762, 7.1: whoever hears this need not answer; not told when an answer would be of use. */
  knownSeconds(now: number): number | undefined {
    const isFresh = this.isPresent && now < this.#staleAt && this.#holdsUntil - now > maxTtlMs / 2
    return isFresh ? Math.floor((this.#holdsUntil - now) / 1000) : undefined
  }
}

export const isServiceName = (key: string): boolean => key.endsWith(`.${serviceType}`)

/** RFC 6763, 6.4: keys have no case, the first of equal ones counts, and what has no "=" is no pair. */
function factsIn(strings: readonly string[]): Txt {
  const pairs = new Map<string, string>()
  for (const text of strings) {
    const at = text.indexOf('=')
    const key = text.slice(0, Math.max(at, 0)).toLowerCase()
    if (key !== '' && !pairs.has(key)) pairs.set(key, text.slice(at + 1))
  }
  return Object.fromEntries(txtKeys.map((key) => [key, pairs.get(key.toLowerCase())]))
}
