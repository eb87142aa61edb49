import { ApiError } from '../platform/api-error.ts'

interface Limits {
  /** At the same time, for all users together. */
  readonly running: number
  readonly runningPerUser: number
  readonly waitingPerUser: number
  readonly waitMs: number
}

/** Bounds work that is expensive, and serves the users in turn: one with much of it delays only itself. */
export class FairQueue {
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  #total = 0
  /** By user; the first user is served next. */
  readonly #waiting = new Map<string, Set<() => void>>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  async run<T>(user: string, work: () => Promise<T>): Promise<T> {
    if (!this.#hasFree(user) || this.#waiting.has(user)) await this.#wait(user)
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

  async #wait(user: string): Promise<void> {
    const { waitingPerUser, waitMs } = this.#limits
    const waiting = this.#waiting.get(user) ?? new Set()
    if (waiting.size >= waitingPerUser)
      throw new ApiError(
        'SYS.1010',
        `${waiting.size} slow queries of this user are waiting already; wait for their answers, or narrow the conditions`,
        { retryAfterSeconds: 2 },
      )
    this.#waiting.set(user, waiting)
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#leave(user, start)
        reject(waitedTooLong(waitMs))
      }, waitMs)
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(start)
    })
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
