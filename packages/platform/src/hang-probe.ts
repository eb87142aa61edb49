import { close, fdatasync, openSync, rmSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { OperatorError, reasonOf } from './operator-error.ts'

/** A disk takes milliseconds; a busy one a second. */
const maxWriteMs = 3000
/** After this the thread pool is not relied on. */
const busyMs = 500
/** A disk that accepts writes into memory and does not finish them is noticed by a sync only. */
const maxSyncAgeMs = 250

const byte = Buffer.from('\n')

/**
 * Overwrites one byte on the disk of a folder, in the thread pool: a write of the main thread to a disk that hangs would
 * block the process.
 */
export class HangProbe {
  readonly #folder: string
  readonly #file: number
  #isStopped = false
  #isClosed = false
  /** Writes that have not returned. */
  #pending = 0
  #isHanging = false
  #startedAt = 0
  #syncedAt = Number.NEGATIVE_INFINITY
  #running: PromiseWithResolvers<void> | undefined

  /** The file has no name afterwards, so a process that ends leaves nothing. */
  constructor(folder: string) {
    this.#folder = folder
    const path = join(folder, 'hang-probe')
    try {
      this.#file = openSync(path, 'w', 0o600)
      rmSync(path)
      // an overwrite needs no free space
      writeSync(this.#file, byte)
    } catch (cause) {
      throw new OperatorError(`${folder} cannot be written: ${reasonOf(cause)}`, { cause })
    }
  }

  /** A write that does not return. */
  get hanging(): string | undefined {
    if (!this.#isHanging) return undefined
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000)
    return `the disk of ${this.#folder} has not finished a write for ${seconds} s`
  }

  /** Resolves when the disk has finished a write, even one that failed; rejects when it takes too long. */
  confirm(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    const { hanging } = this
    if (hanging !== undefined) return Promise.reject(new Error(hanging))
    this.#running ??= this.#start()
    return this.#running.promise
  }

  /** Another write to this disk was synced. */
  noteSync(): void {
    this.#syncedAt = performance.now()
  }

  stop(): void {
    this.#isStopped = true
    this.#closeUnused()
  }

  #start(): PromiseWithResolvers<void> {
    const running = Promise.withResolvers<void>()
    this.#startedAt = performance.now()
    let advancedAt = this.#startedAt
    const refuse = (): void => {
      if (this.#running !== running) return
      const leftMs = advancedAt + maxWriteMs - performance.now()
      if (leftMs > 0) {
        refuseAfter(leftMs)
        return
      }
      this.#isHanging = true
      running.reject(new Error(this.hanging))
    }
    let limit: NodeJS.Timeout | undefined
    // after a suspension of the process, a write that has returned is handled first
    const refuseAfter = (ms: number): void => {
      limit = setTimeout(() => setImmediate(refuse), Math.ceil(ms))
    }
    refuseAfter(maxWriteMs)
    const busy = setTimeout(() => this.#writeInThread(end), busyMs)
    const end = (): void => {
      this.#pending--
      if (this.#running === running) {
        clearTimeout(limit)
        clearTimeout(busy)
        this.#running = undefined
        this.#isHanging = false
        running.resolve()
      }
      this.#closeUnused()
    }
    this.#pending++
    // an error of either is left to the database, which reports what its own write fails with
    write(this.#file, byte, 0, 1, 0, () => {
      advancedAt = performance.now()
      if (advancedAt - this.#syncedAt < maxSyncAgeMs) return end()
      fdatasync(this.#file, () => {
        this.noteSync()
        end()
      })
    })
    return running
  }

  /** The thread pool may be busy, or wait for another disk: a separate thread distinguishes that from a hanging disk. */
  #writeInThread(end: () => void): void {
    this.#pending++
    const thread = new Worker(new URL('./hang-probe-worker.ts', import.meta.url), { workerData: this.#file })
    thread.unref()
    thread.once('error', () => {})
    thread.once('exit', end)
  }

  /** Not while a write is pending: its file descriptor could belong to another file by then. */
  #closeUnused(): void {
    if (!this.#isStopped || this.#isClosed || this.#pending > 0) return
    this.#isClosed = true
    close(this.#file)
  }
}
