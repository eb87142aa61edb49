import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** A busy server writes in pieces of this size, a quiet one after this time. */
const pieceLength = 15 * 1024
const gatherMs = 100
/** When whoever reads has no room, it is tried again after this; when it fails, as on a full disk, after that. */
const busyMs = 10
const failedMs = 1000
/** So much waits for a standard error that takes nothing; what comes then is dropped. */
const maxWaiting = 4 * 1024 * 1024
/** At the end of the process a slow reader gets so long. */
const lastMs = 300

const nothing = Buffer.alloc(0)

/**
 * Takes lines for standard error and never holds up the process, also not at its end: who reads may be slow, stuck or
 * gone, and a file may be full. What could not be written is tried again until it can.
 */
export class StandardError {
  readonly #file = unblocked()
  #waiting = ''
  /** Of a piece that was taken in part. */
  #rest = nothing
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor() {
    process.on('exit', () => this.flushSync())
  }

  write(line: string): void {
    if (this.#waiting.length + this.#rest.length > maxWaiting) this.#dropped++
    else this.#waiting += this.#ofDropped() + line
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
      this.#sendLater(code === 'EAGAIN' ? busyMs : failedMs)
      return code
    }
  }

  #sendPiece(): void {
    if (this.#rest === nothing) {
      this.#rest = Buffer.from(this.#waiting)
      this.#waiting = ''
    }
    const written = writeSync(this.#file, this.#rest)
    this.#rest = written < this.#rest.length ? this.#rest.subarray(written) : nothing
  }

  /** Stands where the lines would. */
  #ofDropped(): string {
    const dropped = this.#dropped
    if (dropped === 0) return ''
    this.#dropped = 0
    return `${JSON.stringify({ level: 'warn', time: new Date(), dropped, msg: 'lines are missing here: nobody took them' })}\n`
  }

  #sendLater(ms: number): void {
    this.#timer ??= setTimeout(() => this.#send(), ms).unref()
  }
}

/** Standard error such that it says at once when it has no room. */
function unblocked(): number {
  // a socket is so from the moment that Node is asked for it
  void process.stderr
  try {
    // a terminal that was stopped, and a pipe, are opened anew: to change what others may have open is not ours. A file has
    // always room or fails, and opened anew it would be written from its beginning
    if (isatty(2) || fstatSync(2).isFIFO())
      return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // it is another user's, or nobody reads it any more
  }
  return 2
}
