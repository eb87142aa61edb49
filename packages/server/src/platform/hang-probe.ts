import { close, fdatasync, openSync, rmSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A disk takes milliseconds; a busy one a second. */
const maxWriteMs = 3000
/** A disk that accepts writes into memory and does not finish them is noticed by a sync only. */
const maxSyncAgeMs = 250

const writeAt = promisify(write)
const sync = promisify(fdatasync)

/**
 * Overwrites one byte on the disk of a folder, in the thread pool: a write of the main thread to a disk that hangs would
 * block the process.
 */
export class HangProbe {
  readonly #folder: string
  readonly #file: number
  readonly #byte = Buffer.from('\n')
  #isStopped = false
  #startedAt = 0
  #syncedAt = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined

  /** The file has no name afterwards, so a process that ends leaves nothing. */
  constructor(folder: string) {
    this.#folder = folder
    const path = join(folder, 'hang-probe')
    this.#file = openSync(path, 'w', 0o600)
    rmSync(path)
    // an overwrite needs no free space
    writeSync(this.#file, this.#byte)
  }

  /** A write that does not return. */
  get hanging(): string | undefined {
    const ms = this.#running ? performance.now() - this.#startedAt : 0
    return ms > maxWriteMs
      ? `the disk of ${this.#folder} has not finished a write for ${Math.round(ms / 1000)} s`
      : undefined
  }

  /** Resolves when the disk has finished a write that failed or not, rejects when it takes too long. */
  async confirm(): Promise<void> {
    if (this.#isStopped) return
    if (!this.#running) {
      this.#startedAt = performance.now()
      this.#running = this.#write().finally(() => {
        this.#running = undefined
      })
    }
    const late = Promise.withResolvers<void>()
    const refuse = () => late.reject(new Error(this.hanging ?? `the disk of ${this.#folder} hangs`))
    const timer = setTimeout(refuse, this.#startedAt + maxWriteMs + 1 - performance.now())
    await Promise.race([this.#running, late.promise]).finally(() => clearTimeout(timer))
  }

  /** Another write to this disk was synced. */
  noteSync(): void {
    this.#syncedAt = performance.now()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    // a number that is closed may become that of another file
    void (this.#running ?? Promise.resolve()).then(() => close(this.#file))
  }

  async #write(): Promise<void> {
    try {
      await writeAt(this.#file, this.#byte, 0, 1, 0)
      if (performance.now() - this.#syncedAt < maxSyncAgeMs) return
      await sync(this.#file)
      this.noteSync()
    } catch {
      // the database reports what its own write fails with
    }
  }
}
