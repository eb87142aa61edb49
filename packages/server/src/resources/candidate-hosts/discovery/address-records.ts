import type { ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { type Cidr, contains, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'
import { Backoff } from './backoff.ts'

export type AddressRecord = Extract<ResourceRecord, { address: string }>

interface Lease {
  readonly type: 'A' | 'AAAA'
  readonly heardAt: number
  readonly ttlMs: number
  /** Up to 2 % later, so that not all who listen ask at once. */
  readonly jitter: number
  /** The interface of the host that it said it has this address on. */
  readonly on: string | undefined
  asked: number
}

/** A host with more addresses on one link is not one to be set up by hand. */
const maxAddresses = 16
/** RFC 6762, 10: no record is thought to hold for longer than 75 minutes. */
export const maxTtlMs = 75 * 60_000
/** RFC 6762, 5.2: how much of the time has passed when it is asked whether the record still holds. */
const askAt = [0.8, 0.85, 0.9, 0.95]
/** RFC 6762, 10.2: what was heard this shortly before belongs to the same set of records. */
const sameSetMs = 1000

/** The addresses of one host name on one link, each for as long as its record holds. */
export class AddressRecords {
  readonly #leases = new Map<string, Lease>()
  readonly #missing = new Backoff()

  /** True when what is known has changed. */
  hear({ type, address, ttlSeconds, flush }: AddressRecord, now: number, toldOn?: string): boolean {
    if (ttlSeconds === 0) return this.#leases.delete(address)
    if (!isUsable(address)) return false
    const outdated = flush ? this.#dropOlder(type, address, now - sameSetMs) : false
    const known = this.#leases.get(address)
    const on = toldOn ?? known?.on
    const isNew = known === undefined
    if (isNew && this.#leases.size >= maxAddresses) return outdated
    const ttlMs = Math.min(ttlSeconds * 1000, maxTtlMs)
    this.#leases.set(address, { type, heardAt: now, ttlMs, jitter: Math.random() * 0.02, on, asked: 0 })
    this.#missing.reset()
    return isNew || outdated || on !== known.on
  }

  #dropOlder(type: 'A' | 'AAAA', exceptFor: string, heardBefore: number): boolean {
    const old = [...this.#leases].filter(([address, lease]) => lease.type === type && address !== exceptFor)
    return old.filter(([address, { heardAt }]) => heardAt < heardBefore && this.#leases.delete(address)).length > 0
  }

  /** True when some have run out. */
  expire(now: number): boolean {
    const before = this.#leases.size
    for (const [address, { heardAt, ttlMs }] of this.#leases) if (now >= heardAt + ttlMs) this.#leases.delete(address)
    return this.#leases.size < before
  }

  /** Whether it is time to ask for them; then it counts as asked. */
  takeDue(now: number): boolean {
    if (this.#leases.size === 0) return this.#missing.takeDue(now)
    const due = [...this.#leases.values()].filter(({ heardAt, ttlMs, jitter, asked }) => {
      const share = askAt[asked]
      return share !== undefined && now >= heardAt + ttlMs * (share + jitter)
    })
    for (const lease of due) lease.asked++
    return due.length > 0
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0
  }

  interfaceOf(address: string | undefined): string | undefined {
    return this.#leases.get(address ?? '')?.on
  }

  /** The most useful one first. */
  ofType(type: 'A' | 'AAAA'): string[] {
    return [...this.#leases]
      .filter(([, lease]) => lease.type === type)
      .map(([address]) => address)
      .sort((a, b) => reach(b) - reach(a) || (a < b ? -1 : 1))
  }
}

const network = (text: string): Cidr => {
  const parsed = parseCidr(text)
  if (parsed === undefined) throw new Error(`${text} is no network`)
  return parsed
}
const isIn = (networks: readonly Cidr[], address: string): boolean => {
  const parsed = parseAddress(address)
  return parsed !== undefined && networks.some((one) => contains(one, parsed))
}

/** Not the address of any host, or that of another one wherever it is read. */
const unusable = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/96', '::ffff:0:0/96', 'ff00::/8'].map(network)
const linkLocal = ['169.254.0.0/16', 'fe80::/10'].map(network)
const uniqueLocal = ['fc00::/7'].map(network)

const isUsable = (address: string): boolean => !isIn(unusable, address)
const reach = (address: string): number => (isIn(linkLocal, address) ? 0 : isIn(uniqueLocal, address) ? 1 : 2)
