import { onAbort } from '@wharf/platform/abort.ts'
import { ApiError } from '@wharf/platform/api-error.ts'

interface Limits {
  /** At the same time, for all users together. */
  readonly running: number
  readonly runningPerUser: number
  readonly waitMs: number
}

export interface Waiter {
  readonly user: string
  /** Rejected when this many calls of its user are already waiting. */
  readonly maxWaiting: number
  /** Aborted when the caller has disconnected. */
  readonly disconnectSignal?: (() => AbortSignal) | undefined
}

/** Limits expensive work and serves the users round-robin: a user with much of it delays only itself. */
export class FairQueue {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  #total = 0
  /** By user; the first user is served next. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    const { user } = waiter
    if (!this.#hasFree(user) || this.#waiting.has(user)) await this.#wait(waiter)
    else this.#start(user)
    try {
      return await work()
    } finally {
      this.#end(user)
    }
  }

  #hasFree(user: string): boolean {
    return this.#total < this.#limits.running && (this.#running.get(user) ?? 0) < this.#limits.runningPerUser
  }

  #start(user: string): void {
    this.#total++
    this.#running.set(user, (this.#running.get(user) ?? 0) + 1)
  }

  #end(user: string): void {
    this.#total--
    const left = (this.#running.get(user) ?? 1) - 1
    if (left > 0) this.#running.set(user, left)
    else this.#running.delete(user)
    this.#startNext()
  }

  async #wait({ user, maxWaiting, disconnectSignal }: Waiter): Promise<void> {
    const { waitMs } = this.#limits
    const waiting = this.#waiting.get(user) ?? new Set()
    if (waiting.size >= maxWaiting)
      throw new ApiError(
        'SYS.1010',
        `${waiting.size} slow queries of this user are waiting already; wait for their answers, or narrow the conditions`,
        { retryAfterSeconds: 2 },
      )
    const disconnected = disconnectSignal?.()
    if (disconnected?.aborted) throw clientDisconnected()
    this.#waiting.set(user, waiting)
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const leave = (error: ApiError): void => {
      this.#leave(user, start)
      reject(error)
    }
    const timer = setTimeout(() => leave(waitedTooLong(waitMs)), waitMs)
    using _listening = onAbort(disconnected, () => leave(clientDisconnected()))
    waiting.add(start)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  #leave(user: string, start: () => void): void {
    const waiting = this.#waiting.get(user)
    waiting?.delete(start)
    if (waiting?.size === 0) this.#waiting.delete(user)
  }

  #startNext(): void {
    for (const [user, waiting] of this.#waiting) {
      const [start] = waiting
      if (start === undefined || !this.#hasFree(user)) continue
      this.#leave(user, start)
      if (waiting.size > 0) {
        // to the end of the round
        this.#waiting.delete(user)
        this.#waiting.set(user, waiting)
      }
      this.#start(user)
      start()
      return
    }
  }
}

const waitedTooLong = (waitMs: number): ApiError =>
  new ApiError(
    'SYS.1010',
    `the query waited ${waitMs / 1000} s for other slow queries; try again, or narrow the conditions`,
    { retryAfterSeconds: 2 },
  )

const clientDisconnected = (): ApiError => new ApiError('SYS.1010', 'the client has closed its connection')
