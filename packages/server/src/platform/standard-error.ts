import { writeSync } from 'node:fs'

/** A busy server writes in pieces of this size, a quiet one after this time. */
const pieceLength = 15 * 1024
const gatherMs = 100
/** When whoever reads has no room, it is tried again after this. */
const busyMs = 10
/** So much waits for a standard error that takes nothing; what comes then is dropped. */
const maxWaiting = 4 * 1024 * 1024
/** At the end of the process a slow reader gets so long. */
const lastMs = 400

const nothing = Buffer.alloc(0)

/**
 * Takes lines for standard error and never holds up the process, also not at its end: who reads may be slow, stuck or
 * gone, and a file may be full. What could not be written is tried again with what comes later.
 */
export class StandardError {
  #waiting = ''
  /** Of a piece that was taken in part. */
  #rest = nothing
  #timer: NodeJS.Timeout | undefined

  constructor() {
    // Node opens it when it is first asked for, and only then a pipe that is full says so at once
    void process.stderr
    process.on('exit', () => this.flushSync())
  }

  write(lines: string): void {
    if (this.#waiting.length + this.#rest.length > maxWaiting) return
    this.#waiting += lines
    if (this.#waiting.length >= pieceLength && this.#rest === nothing) this.#send()
    else this.#sendLater(gatherMs)
  }

  /** At the end, and after a line that tells why the end comes. */
  flushSync(): void {
    const until = performance.now() + lastMs
    const cell = new Int32Array(new SharedArrayBuffer(4))
    while (this.#send() === 'EAGAIN' && performance.now() < until) Atomics.wait(cell, 0, 0, busyMs)
  }

  /** What is wrong, if all could not be written. */
  #send(): string | undefined {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      while (this.#rest !== nothing || this.#waiting !== '') this.#sendPiece()
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') this.#sendLater(busyMs)
      return code
    }
  }

  #sendPiece(): void {
    if (this.#rest === nothing) {
      this.#rest = Buffer.from(this.#waiting)
      this.#waiting = ''
    }
    const written = writeSync(2, this.#rest)
    this.#rest = written < this.#rest.length ? this.#rest.subarray(written) : nothing
  }

  #sendLater(ms: number): void {
    this.#timer ??= setTimeout(() => this.#send(), ms).unref()
  }
}
