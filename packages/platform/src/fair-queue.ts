import { onAbort } from './abort.ts'
import { ApiError } from './api-error.ts'

export interface FairQueueLimits {
  /** At the same time, for all shares together. */
  readonly running: number
  readonly runningPerShare?: number
  /** Of all shares, separately for preferred ones. */
  readonly maxWaiting?: number
  readonly waitMs: number
  /** The error of work that is rejected because so much of its share is waiting. */
  tooMany(waiting: number): ApiError
  /** The error of work that has waited for `waitMs`. */
  tooLate(): ApiError
}

export interface Waiter {
  /** All waiters of one share wait in one queue: those of a user, or of a network. */
  readonly share: string
  /** Every other slot belongs to preferred waiters when some wait. */
  readonly isPreferred?: boolean
  /** Rejected when this many of its share are already waiting. */
  readonly maxWaiting: number
  /** Aborted when the caller has disconnected. */
  readonly disconnectSignal?: (() => AbortSignal) | undefined
}

/** Limits expensive work and serves the shares round-robin: a share with much of it delays only itself. */
export class FairQueue {
  readonly #limits: FairQueueLimits
  readonly #running = new Map<string, number>()
  #total = 0
  readonly #preferred = new Round()
  readonly #others = new Round()
  #lastWasPreferred = false

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    const { share, isPreferred = false } = waiter
    const round = isPreferred ? this.#preferred : this.#others
    if (!this.#hasFree(share) || round.countOf(share) > 0) await this.#wait(round, waiter)
    else this.#start(share)
    try {
      return await work()
    } finally {
      this.#end(share)
    }
  }

  #hasFree(share: string): boolean {
    const { running, runningPerShare = running } = this.#limits
    return this.#total < running && (this.#running.get(share) ?? 0) < runningPerShare
  }

  #start(share: string): void {
    this.#total++
    this.#running.set(share, (this.#running.get(share) ?? 0) + 1)
  }

  #end(share: string): void {
    this.#total--
    const left = (this.#running.get(share) ?? 1) - 1
    if (left > 0) this.#running.set(share, left)
    else this.#running.delete(share)
    this.#startNext()
  }

  async #wait(round: Round, { share, maxWaiting, disconnectSignal }: Waiter): Promise<void> {
    const own = round.countOf(share)
    if (own >= maxWaiting) throw this.#limits.tooMany(own)
    const disconnected = disconnectSignal?.()
    if (disconnected?.aborted) throw clientDisconnected()
    this.#makeSpace(round, own)
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { share, start, reject }
    const leave = (error: ApiError): void => {
      round.remove(waiting)
      reject(error)
    }
    const timer = setTimeout(() => leave(this.#limits.tooLate()), this.#limits.waitMs)
    using _listening = onAbort(disconnected, () => leave(clientDisconnected()))
    round.add(waiting)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** In a full round the last of the longest share is rejected in favour of a shorter one. */
  #makeSpace(round: Round, own: number): void {
    if (round.size < (this.#limits.maxWaiting ?? Number.POSITIVE_INFINITY)) return
    const last = round.lastOfLongest()
    const longest = last === undefined ? 0 : round.countOf(last.share)
    if (last === undefined || longest <= own + 1) throw this.#limits.tooMany(own)
    round.remove(last)
    last.reject(this.#limits.tooMany(longest))
  }

  #startNext(): void {
    const rounds = [this.#preferred, this.#others]
    for (const round of this.#lastWasPreferred ? rounds.reverse() : rounds) {
      const next = round.takeNext((share) => this.#hasFree(share))
      if (next === undefined) continue
      this.#lastWasPreferred = round === this.#preferred
      this.#start(next.share)
      next.start()
      return
    }
  }
}

const clientDisconnected = (): ApiError => new ApiError('SYS.1010', 'the client has closed its connection')

interface Waiting {
  readonly share: string
  start(): void
  reject(error: ApiError): void
}

/** Those who wait, by share; the first share is served next. */
class Round {
  readonly #shares = new Map<string, Set<Waiting>>()
  size = 0

  countOf(share: string): number {
    return this.#shares.get(share)?.size ?? 0
  }

  add(waiting: Waiting): void {
    const queue = this.#shares.get(waiting.share) ?? new Set()
    this.#shares.set(waiting.share, queue.add(waiting))
    this.size++
  }

  remove(waiting: Waiting): void {
    const queue = this.#shares.get(waiting.share)
    if (!queue?.delete(waiting)) return
    this.size--
    if (queue.size === 0) this.#shares.delete(waiting.share)
  }

  takeNext(hasFree: (share: string) => boolean): Waiting | undefined {
    for (const [share, queue] of this.#shares) {
      const [next] = queue
      if (next === undefined || !hasFree(share)) continue
      this.remove(next)
      // to the end of the round
      if (this.#shares.delete(share)) this.#shares.set(share, queue)
      return next
    }
    return undefined
  }

  lastOfLongest(): Waiting | undefined {
    let longest: ReadonlySet<Waiting> = new Set()
    for (const queue of this.#shares.values()) if (queue.size > longest.size) longest = queue
    return [...longest].at(-1)
  }
}
