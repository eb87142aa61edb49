import { close, fdatasync, openSync, rmSync, write, writeSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError, reasonOf } from './operator-error.ts'

/** A disk takes milliseconds; a busy one a second. */
const maxWriteMs = 3000
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
    if (this.#isStopped) return
    this.#isStopped = true
    if (!this.#running) close(this.#file)
  }

  #start(): PromiseWithResolvers<void> {
    const running = Promise.withResolvers<void>()
    this.#startedAt = performance.now()
    const refuse = (): void => {
      if (this.#running !== running) return
      this.#isHanging = true
      running.reject(new Error(this.hanging))
    }
    // after a standstill of the process, a write that has returned comes first
    const limit = setTimeout(() => setImmediate(refuse), maxWriteMs)
    const end = (): void => {
      clearTimeout(limit)
      this.#running = undefined
      this.#isHanging = false
      if (this.#isStopped) close(this.#file)
      running.resolve()
    }
    // an error of either is left to the database, which reports what its own write fails with
    write(this.#file, byte, 0, 1, 0, () => {
      if (performance.now() - this.#syncedAt < maxSyncAgeMs) return end()
      limit.refresh()
      fdatasync(this.#file, () => {
        this.noteSync()
        end()
      })
    })
    return running
  }
}
