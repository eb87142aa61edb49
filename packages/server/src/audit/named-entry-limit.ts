const maxNamed = 200
const hourMs = 3_600_000
/** Some 2 MB; beyond, the hour that began first is forgotten. */
const maxSources = 10_000

interface Hour {
  readonly startDate: number
  named: number
}

/** How many entries with a name or record each source has in an hour, which starts with the first of them. */
export class NamedEntryLimit {
  /** Ordered by their start, oldest first. */
  readonly #hours = new Map<string, Hour>()

  isReached(source: string, now: number): boolean {
    return (this.#hourOf(source, now)?.named ?? 0) >= maxNamed
  }

  count(source: string, now: number): void {
    const hour = this.#hourOf(source, now)
    if (hour !== undefined) {
      hour.named++
      return
    }
    this.#hours.delete(source)
    const [oldest] = this.#hours.keys()
    if (oldest !== undefined && this.#hours.size >= maxSources) this.#hours.delete(oldest)
    this.#hours.set(source, { startDate: now, named: 1 })
  }

  /** One in the future began before the clock was set back, so it is over. */
  #hourOf(source: string, now: number): Hour | undefined {
    const hour = this.#hours.get(source)
    return hour !== undefined && now >= hour.startDate && now < hour.startDate + hourMs ? hour : undefined
  }
}
