import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'

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
 * Failed sign-ins of the last minute, per (source, name) and per source. Nothing is counted per name alone: somebody
 * who guesses from elsewhere must not lock the owner out.
 *
 * When the table is full the sources that have been quiet longest are forgotten. That is not a cheap way to reset a
 * count: every forgotten failure costs a new one, 100,000 of them must come within a minute, from at least 1,000
 * addresses because each is itself blocked after 100, and each of them could have been a guess instead.
 */
export class Attempts {
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
    const recent = this.#recent(keyOf(networkOf(source)))
    if (recent.length < maxPerName) return 0
    const freeAt = Math.max(freeAgainAt(recent, maxPerSource), freeAgainAt(named(recent, name), maxPerName))
    return Math.max(0, Math.ceil((freeAt - this.#clock.now()) / 1000))
  }

  /** Whether this name is blocked for this source, and not only the source for every name. */
  isNameBlocked(source: string, name: string): boolean {
    return named(this.#recent(keyOf(networkOf(source))), name).length >= maxPerName
  }

  failed(source: string, name: string): void {
    const network = keyOf(networkOf(source))
    const recent = this.#recent(network)
    this.#forget(network)
    this.#lastFailureAt = this.#clock.now()
    recent.push({ at: this.#lastFailureAt, name: keyOf(name) })
    const kept = recent.slice(-maxPerSource)
    this.#sources.set(network, kept)
    this.#total += kept.length
    this.#makeRoom()
  }

  /** Clears the pair only, or an attacker with an account of his own could clear his source's count. */
  succeeded(source: string, name: string): void {
    if (this.#sources.size === 0) return
    const nameKey = keyOf(name)
    for (const failure of this.#sources.get(keyOf(networkOf(source))) ?? []) {
      if (failure.name === nameKey) failure.name = undefined
    }
  }

  #recent(network: string): Failure[] {
    const now = this.#clock.now()
    // a failure in the future was recorded before the clock was set back; it must not block for hours
    return (this.#sources.get(network) ?? []).filter(({ at }) => at > now - windowMs && at <= now)
  }

  #forget(network: string): void {
    this.#total -= this.#sources.get(network)?.length ?? 0
    this.#sources.delete(network)
  }

  /** Once a minute, and when the table is full. */
  #makeRoom(): void {
    const now = this.#clock.now()
    const isFull = this.#total > maxFailures
    if (!isFull && Math.abs(now - this.#sweptAt) < windowMs) return
    this.#sweptAt = now
    for (const [network, failures] of this.#sources) {
      const isOver = (failures.at(-1)?.at ?? 0) <= now - windowMs
      if (!isOver && !(isFull && this.#total > maxFailures * 0.9)) return
      this.#forget(network)
    }
  }
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
export function networkOf(source: string): string {
  if (!isIPv6(source)) return source
  const groups = groupsOf(source)
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535'
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  return `${Array.from(groups.slice(0, 4), (group) => group.toString(16)).join(':')}::/64`
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/%.*$/, '').replace(/[\d.]+\.\d+$/, hexGroups)
  const [head = [], tail = []] = hex.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16))
}

/** The two groups of a dotted IPv4 suffix. */
function hexGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}
