interface Limits {
  /** Shorter reads cost nothing. */
  readonly freeMs: number
  readonly capacityMs: number
  /** How much of the time that passes is given back. */
  readonly refill: number
}

/** The time that reads of one user may take before they are queued as slow: the cost of a scan is not known in advance. */
export class ReadBudget {
  readonly #limits: Limits
  readonly #used = new Map<string, { readonly ms: number; readonly at: number }>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Too short to be charged. */
  isFree(ms: number): boolean {
    return ms < this.#limits.freeMs
  }

  hasLeft(user: string): boolean {
    return this.#usedBy(user) < this.#limits.capacityMs
  }

  charge(user: string, ms: number): void {
    if (!this.isFree(ms)) this.#used.set(user, { ms: this.#usedBy(user) + ms, at: performance.now() })
  }

  #usedBy(user: string): number {
    const used = this.#used.get(user)
    if (used === undefined) return 0
    const left = used.ms - (performance.now() - used.at) * this.#limits.refill
    if (left > 0) return left
    this.#used.delete(user)
    return 0
  }
}
