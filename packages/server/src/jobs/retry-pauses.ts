import { backoffMs } from '@wharf/platform/backoff.ts'

const longestMs = 3_600_000

/** Jobs that cannot be read, such as one sealed with another key: each is claimed again after a growing pause. */
export class RetryPauses {
  readonly #firstMs: number
  readonly #pauses = new Map<string, { readonly failures: number; readonly until: number }>()

  constructor(firstMs: number) {
    this.#firstMs = firstMs
  }

  /** True for the first failure of the job, which alone is logged. */
  add(uuid: string): boolean {
    const { failures } = this.#pauses.get(uuid) ?? { failures: 0 }
    const until = performance.now() + backoffMs(failures, { firstMs: this.#firstMs, longestMs })
    this.#pauses.set(uuid, { failures: failures + 1, until })
    return failures === 0
  }

  /** Not to be claimed yet. */
  get waiting(): string[] {
    return this.#select((isOver) => !isOver)
  }

  get due(): string[] {
    return this.#select((isOver) => isOver)
  }

  delete(uuid: string): void {
    this.#pauses.delete(uuid)
  }

  #select(isWanted: (isOver: boolean) => boolean): string[] {
    if (this.#pauses.size === 0) return []
    const now = performance.now()
    return [...this.#pauses].filter(([, { until }]) => isWanted(until <= now)).map(([uuid]) => uuid)
  }
}
