import type { Log } from '@wharf/platform/log.ts'

const MiB = 1024 * 1024

export interface UnsentLimits {
  /** Of all connections together. */
  readonly maxBytes: number
  /** A reader that has read nothing for this long is disconnected when others need the memory. */
  readonly stalledMs: number
}

const unsentLimits: UnsentLimits = { maxBytes: 64 * MiB, stalledMs: 2000 }
/** Above this share of the limit the slowest reader is disconnected, regardless of its pause. */
const overdraft = 1.5
/** Several are disconnected together. */
const logMs = 10_000

/** The unsent bytes of one connection. */
export interface Unsent {
  /** The number of unsent bytes. A decrease means that the reader is active. */
  set(bytes: number): void
  /** The reader has read some of them. */
  progress(): void
  close(): void
}

interface Entry {
  bytes: number
  progressAt: number
  readonly disconnect: () => void
}

/** The memory of unsent responses: shared, so that stalled readers cannot use all of it. */
export class UnsentBytes {
  readonly #limits: UnsentLimits
  readonly #log: Log | undefined
  readonly #entries = new Set<Entry>()
  #total = 0
  #disconnected = 0
  #logged = { count: 0, at: Number.NEGATIVE_INFINITY }

  constructor({ log, ...limits }: Partial<UnsentLimits> & { log?: Log } = {}) {
    this.#limits = { ...unsentLimits, ...limits }
    this.#log = log
  }

  get total(): number {
    return this.#total
  }

  /** The number of disconnected readers since the start. */
  get disconnected(): number {
    return this.#disconnected
  }

  /** Disconnects stalled readers until this many bytes fit. False when they do not. */
  makeSpace(bytes: number): boolean {
    const { maxBytes, stalledMs } = this.#limits
    while (this.#total > 0 && this.#total + bytes > maxBytes) {
      const slowest = this.#slowest()
      if (slowest === undefined || performance.now() - slowest.progressAt < stalledMs) return false
      this.#disconnect(slowest)
    }
    return true
  }

  open(disconnect: () => void): Unsent {
    const entry: Entry = { bytes: 0, progressAt: performance.now(), disconnect }
    return {
      set: (bytes) => this.#set(entry, bytes),
      progress: () => {
        entry.progressAt = performance.now()
      },
      close: () => this.#remove(entry),
    }
  }

  #set(entry: Entry, bytes: number): void {
    if (bytes < entry.bytes || entry.bytes === 0) entry.progressAt = performance.now()
    this.#total += bytes - entry.bytes
    entry.bytes = bytes
    if (bytes > 0) this.#entries.add(entry)
    else this.#entries.delete(entry)
    if (this.#total <= this.#limits.maxBytes || this.makeSpace(0)) return
    while (this.#total > overdraft * this.#limits.maxBytes) {
      const slowest = this.#slowest()
      if (slowest === undefined) return
      this.#disconnect(slowest)
    }
  }

  #slowest(): Entry | undefined {
    let slowest: Entry | undefined
    for (const entry of this.#entries) if (!slowest || entry.progressAt < slowest.progressAt) slowest = entry
    return slowest
  }

  #disconnect(entry: Entry): void {
    this.#remove(entry)
    this.#disconnected++
    entry.disconnect()
    if (performance.now() - this.#logged.at < logMs) return
    const count = this.#disconnected - this.#logged.count
    this.#logged = { count: this.#disconnected, at: performance.now() }
    this.#log?.warn(
      { count, unsentBytes: this.#total, limitBytes: this.#limits.maxBytes },
      'stalled readers were disconnected: the unsent responses have reached their limit',
    )
  }

  #remove(entry: Entry): void {
    this.#total -= entry.bytes
    entry.bytes = 0
    this.#entries.delete(entry)
  }
}
