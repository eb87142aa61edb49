import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** A busy server writes in chunks of this size, an idle one after this time. */
const chunkLength = 15 * 1024
const gatherMs = 100
/** A retry after a full pipe, and after a failure such as a full disk. */
const busyMs = 10
const failedMs = 1000
/** How much is buffered for a reader that is stuck; lines beyond it are dropped. */
const maxWaiting = 4 * 1024 * 1024
/** How long the exit of the process waits for a slow reader. */
const lastMs = 300

const nothing = Buffer.alloc(0)

/**
 * Writes lines to standard error and never blocks the process, not even at its exit: the reader may be slow, stuck or
 * closed, and a disk may be full. What could not be written is retried.
 */
export class StderrWriter {
  readonly #file = openNonBlocking()
  #waiting = ''
  /** The rest of a chunk that was written in part. */
  #rest = nothing
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor() {
    process.on('exit', () => this.flushSync())
  }

  write(line: string): void {
    if (this.#waiting.length + this.#rest.length > maxWaiting) this.#dropped++
    else this.#waiting += this.#droppedNotice() + line
    if (this.#waiting.length >= chunkLength && this.#rest === nothing) this.#send()
    else this.#sendLater(gatherMs)
  }

  /** At the exit, and after a line with the reason of the exit. */
  flushSync(): void {
    const until = performance.now() + lastMs
    const cell = new Int32Array(new SharedArrayBuffer(4))
    while (this.#send() === 'EAGAIN' && performance.now() < until) Atomics.wait(cell, 0, 0, busyMs)
  }

  /** The error code when not everything could be written. */
  #send(): string | undefined {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      while (this.#rest !== nothing || this.#waiting !== '') this.#sendChunk()
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      this.#sendLater(code === 'EAGAIN' ? busyMs : failedMs)
      return code
    }
  }

  #sendChunk(): void {
    if (this.#rest === nothing) {
      this.#rest = Buffer.from(this.#waiting)
      this.#waiting = ''
    }
    const written = writeSync(this.#file, this.#rest)
    this.#rest = written < this.#rest.length ? this.#rest.subarray(written) : nothing
  }

  /** In place of the dropped lines. */
  #droppedNotice(): string {
    const dropped = this.#dropped
    if (dropped === 0) return ''
    this.#dropped = 0
    return `${JSON.stringify({ level: 'warn', time: new Date(), dropped, msg: 'lines were dropped: standard error was not read' })}\n`
  }

  #sendLater(ms: number): void {
    this.#timer ??= setTimeout(() => this.#send(), ms).unref()
  }
}

/** Standard error in non-blocking mode: a write to a full pipe fails with EAGAIN. */
function openNonBlocking(): number {
  // Node makes a socket non-blocking when it is first accessed
  void process.stderr
  try {
    // a terminal or pipe is reopened, because changing the mode of a shared file description affects other processes. A file
    // never blocks, and reopening it would write from its start
    if (isatty(2) || fstatSync(2).isFIFO())
      return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // it belongs to another user, or its reader is closed
  }
  return 2
}
