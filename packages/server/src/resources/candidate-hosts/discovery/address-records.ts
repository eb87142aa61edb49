import type { ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { type Cidr, contains, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'
import { Backoff } from './backoff.ts'

export type AddressRecord = Extract<ResourceRecord, { address: string }>

interface Lease {
  readonly type: 'A' | 'AAAA'
  readonly receivedAt: number
  readonly ttlMs: number
  /** Up to 2% later, so that not all listeners query at once. */
  readonly jitter: number
  /** The interface of the host with this address. */
  readonly interface: string | undefined
  queries: number
}

/** No real host has more addresses on one link. */
const maxAddresses = 16
/** RFC 6762, 10: no record is valid for longer than 75 minutes. */
export const maxTtlMs = 75 * 60_000
/** RFC 6762, 5.2: the shares of its lifetime at which a record is queried again. */
const queryAt = [0.8, 0.85, 0.9, 0.95]
/** RFC 6762, 10.2: records received within this time belong to the same set. */
const sameSetMs = 1000

/** The addresses of one host name on one link, each while its record is valid. */
export class AddressRecords {
  readonly #leases = new Map<string, Lease>()
  readonly #missing = new Backoff()

  /** True when the addresses have changed. */
  receive({ type, address, ttlSeconds, flush }: AddressRecord, now: number, interfaceName?: string): boolean {
    if (ttlSeconds === 0) return this.#leases.delete(address)
    if (!isUsable(address)) return false
    const outdated = flush ? this.#dropOlder(type, address, now - sameSetMs) : false
    const known = this.#leases.get(address)
    const on = interfaceName ?? known?.interface
    const isNew = known === undefined
    if (isNew && this.#leases.size >= maxAddresses) return outdated
    const ttlMs = Math.min(ttlSeconds * 1000, maxTtlMs)
    this.#leases.set(address, { type, receivedAt: now, ttlMs, jitter: Math.random() * 0.02, interface: on, queries: 0 })
    this.#missing.reset()
    return isNew || outdated || on !== known.interface
  }

  #dropOlder(type: 'A' | 'AAAA', exceptFor: string, receivedBefore: number): boolean {
    const old = [...this.#leases].filter(([address, lease]) => lease.type === type && address !== exceptFor)
    return (
      old.filter(([address, { receivedAt }]) => receivedAt < receivedBefore && this.#leases.delete(address)).length > 0
    )
  }

  /** True when some have expired. */
  expire(now: number): boolean {
    const before = this.#leases.size
    for (const [address, { receivedAt, ttlMs }] of this.#leases)
      if (now >= receivedAt + ttlMs) this.#leases.delete(address)
    return this.#leases.size < before
  }

  /** True when a query is due; then it counts as sent. */
  takeDue(now: number): boolean {
    if (this.#leases.size === 0) return this.#missing.takeDue(now)
    const due = [...this.#leases.values()].filter(({ receivedAt, ttlMs, jitter, queries }) => {
      const share = queryAt[queries]
      return share !== undefined && now >= receivedAt + ttlMs * (share + jitter)
    })
    for (const lease of due) lease.queries++
    return due.length > 0
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0
  }

  interfaceOf(address: string | undefined): string | undefined {
    return this.#leases.get(address ?? '')?.interface
  }

  /** The one with the widest scope first. */
  ofType(type: 'A' | 'AAAA'): string[] {
    return [...this.#leases]
      .filter(([, lease]) => lease.type === type)
      .map(([address]) => address)
      .sort((a, b) => scopeOf(b) - scopeOf(a) || (a < b ? -1 : 1))
  }
}

const network = (text: string): Cidr => {
  const parsed = parseCidr(text)
  if (parsed === undefined) throw new Error(`${text} is not a network`)
  return parsed
}
const isIn = (networks: readonly Cidr[], address: string): boolean => {
  const parsed = parseAddress(address)
  return parsed !== undefined && networks.some((one) => contains(one, parsed))
}

/** Never the address of one remote host. */
const unusable = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/96', '::ffff:0:0/96', 'ff00::/8'].map(network)
const linkLocal = ['169.254.0.0/16', 'fe80::/10'].map(network)
const uniqueLocal = ['fc00::/7'].map(network)

const isUsable = (address: string): boolean => !isIn(unusable, address)
const scopeOf = (address: string): number => (isIn(linkLocal, address) ? 0 : isIn(uniqueLocal, address) ? 1 : 2)
