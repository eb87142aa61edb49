import type { Writable } from 'node:stream'

/** The guard ends a hook after this time without a byte. ssh closes a connection earlier, so no outage that ssh survives ends a hook. */
export const silenceSeconds = 20
const intervalMs = 3000
/** SIGTERM, two seconds, SIGKILL, and a margin for a busy host. */
const endMs = 5000

/** Keeps a hook running: the guard on the host ends it without these bytes. */
export class Heartbeat {
  readonly #stdin: Writable
  readonly #timer: NodeJS.Timeout
  #lastAt = performance.now()

  constructor(stdin: Writable) {
    this.#stdin = stdin
    this.#timer = setInterval(() => this.#beat(), intervalMs).unref()
  }

  /** By `performance.now()`: the guard has ended the hook by then, even without a connection. */
  get hookEndsBy(): number {
    return this.#lastAt + silenceSeconds * 1000 + endMs
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    // a byte that waits for a blocked connection would only arrive late
    if (!this.#stdin.writable || this.#stdin.writableLength > 0) return
    this.#lastAt = performance.now()
    this.#stdin.write('.')
  }
}
