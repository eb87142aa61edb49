import type { Writable } from 'node:stream'

/** The guard ends a hook after this long without a byte. More than ssh takes to give up a connection, so no outage that ssh survives ends a hook. */
export const silenceSeconds = 20
const intervalMs = 3000
/** SIGTERM, two seconds, SIGKILL, and time for a busy host to get there. */
const endMs = 5000

/** Tells the guard on a host that the server still knows of the hook. */
export class Heartbeat {
  readonly #stdin: Writable
  readonly #timer: NodeJS.Timeout
  #lastAt = performance.now()

  constructor(stdin: Writable) {
    this.#stdin = stdin
    this.#timer = setInterval(() => this.#beat(), intervalMs).unref()
  }

  /** By `performance.now()`: from then on the guard has ended the hook, whatever became of the connection. */
  get hookEndsBy(): number {
    return this.#lastAt + silenceSeconds * 1000 + endMs
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    // what waits for a connection that does not take it would only arrive late
    if (!this.#stdin.writable || this.#stdin.writableLength > 0) return
    this.#lastAt = performance.now()
    this.#stdin.write('.')
  }
}
