import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ApiError } from '@wharf/platform/api-error.ts'
import { canonicalAddress, formatCidr, networkOf, parseAddress } from '@wharf/platform/cidr.ts'

const windowMs = 60_000
const maxPerName = 10
const maxPerSource = 100

/** Some 30 MB at most; when it is reached, a tenth is removed at once, since removing one by one from a Map is slow. */
const maxFailures = 100_000

/** `name` is removed when a login succeeds; the failure still counts for the source. */
interface Failure {
  at: number
  name: string | undefined
}

/**
 * Failed sign-ins of the last minute, per (source, name) and per source. Nothing is counted per name alone: guesses from
 * other sources must not lock the owner out.
 *
 * When the table is full the sources without a failure for longest are removed. That does not reset a count cheaply:
 * every removed failure costs a new one, 100,000 of them must come within a minute, from at least 1,000
 * addresses because each is itself blocked after 100, and each of them could have been a guess instead.
 */
export class LoginThrottle {
  readonly #clock: { now(): number }
  /** Ordered by the last failure, oldest first. */
  readonly #sources = new Map<string, Failure[]>()
  #total = 0
  #sweptAt = 0
  #lastFailureAt = Number.NEGATIVE_INFINITY

  constructor(clock: { now(): number }) {
    this.#clock = clock
  }

  /** How long this source must wait before it may try this name; 0 when it need not. */
  blockedForSeconds(source: string, name: string): number {
    if (this.#clock.now() - this.#lastFailureAt >= windowMs) return 0 // the usual case of every signed call
    const recent = this.#recent(keyOf(sourceNetwork(source)))
    if (recent.length < maxPerName) return 0
    const freeAt = Math.max(freeAgainAt(recent, maxPerSource), freeAgainAt(named(recent, name), maxPerName))
    return Math.max(0, Math.ceil((freeAt - this.#clock.now()) / 1000))
  }

  blockedError(source: string, name: string): ApiError | undefined {
    const retryAfterSeconds = this.blockedForSeconds(source, name)
    if (retryAfterSeconds === 0) return undefined
    return new ApiError('ID.1003', 'too many failed attempts from this address; wait and try again', {
      retryAfterSeconds,
    })
  }

  /** A source with too many failures must wait, even with the right password; other sources are not blocked. */
  refuseBlocked(source: string, name: string): void {
    const error = this.blockedError(source, name)
    if (error) throw error
  }

  /** Whether this name is blocked for this source, and not only the source for every name. */
  isNameBlocked(source: string, name: string): boolean {
    return named(this.#recent(keyOf(sourceNetwork(source))), name).length >= maxPerName
  }

  failed(source: string, name: string): void {
    const network = keyOf(sourceNetwork(source))
    const recent = this.#recent(network)
    this.#remove(network)
    this.#lastFailureAt = this.#clock.now()
    recent.push({ at: this.#lastFailureAt, name: keyOf(name) })
    const kept = recent.slice(-maxPerSource)
    this.#sources.set(network, kept)
    this.#total += kept.length
    this.#evict()
  }

  /** Clears the pair only: otherwise an attacker with an account could clear the count of the source. */
  succeeded(source: string, name: string): void {
    if (this.#sources.size === 0) return
    const nameKey = keyOf(name)
    for (const failure of this.#sources.get(keyOf(sourceNetwork(source))) ?? []) {
      if (failure.name === nameKey) failure.name = undefined
    }
  }

  #recent(network: string): Failure[] {
    const now = this.#clock.now()
    // a failure in the future was recorded before the clock was set back; it must not block for hours
    return (this.#sources.get(network) ?? []).filter(({ at }) => at > now - windowMs && at <= now)
  }

  #remove(network: string): void {
    this.#total -= this.#sources.get(network)?.length ?? 0
    this.#sources.delete(network)
  }

  /** Once a minute, and when the table is full. */
  #evict(): void {
    const now = this.#clock.now()
    const isFull = this.#total > maxFailures
    if (!isFull && Math.abs(now - this.#sweptAt) < windowMs) return
    this.#sweptAt = now
    for (const [network, failures] of this.#sources) {
      const isOver = (failures.at(-1)?.at ?? 0) <= now - windowMs
      if (!isOver && !(isFull && this.#total > maxFailures * 0.9)) return
      this.#remove(network)
    }
  }
}

/** The names that failed attempts are counted under. The prefixes separate keys from users. */
export const attemptName = {
  key: (id: string): string => `key ${id}`,

  /** Guesses of this user at the codes of devices. */
  deviceCode: (userUuid: string): string => `device code ${userUuid}`,

  /** All guesses at a user count together, however the account is named, also when the user does not exist. */
  user: (accountUuid: string, userName: string): string => `user ${accountUuid} ${userName}`,

  /** For an unknown account; `userName` defaults to the built-in user. */
  userOfUnknownAccount: ({ name, uuid }: { name?: string; uuid?: string }, userName = name): string =>
    `nobody ${JSON.stringify([name, uuid, userName])}`,
}

function named(failures: readonly Failure[], name: string): Failure[] {
  const nameKey = keyOf(name)
  return failures.filter((failure) => failure.name === nameKey)
}

function freeAgainAt(failures: readonly Failure[], limit: number): number {
  const decisive = failures.at(-limit)
  return decisive === undefined ? 0 : decisive.at + windowMs
}

/** Bounded, and a copy: a slice would keep the whole header in memory. */
const keyOf = (text: string): string => hash('sha256', text, 'base64')

/** An IPv4 address, also when mapped into IPv6; else the /64, since one customer commands all of one. */
export function sourceNetwork(source: string): string {
  const address = isIPv6(source) ? parseAddress(source.replace(/%.*$/, '')) : undefined
  if (address === undefined) return source
  const canonical = canonicalAddress(address)
  const network = isIPv6(canonical) ? networkOf(`${canonical}/64`) : undefined
  return network === undefined ? canonical : formatCidr(network)
}
