import { open } from 'node:fs/promises'
import { SerialQueue } from '@wharf/platform/serial-queue.ts'
import { syncEveryBytes } from './limits.ts'

/**
 * Brings files to the disk, one at a time: every sync holds a thread that all file work of the process shares. One
 * that is begun while an upload runs costs no one anything, and leaves little to wait for at its end.
 */
export class Syncs {
  readonly #syncedBytes = new Map<string, number>()
  readonly #failures = new Map<string, unknown>()
  readonly #queue = new SerialQueue()

  /** Begins a sync when it is worth it and nobody else has one under way. */
  soon(path: string, size: number): void {
    if (this.#queue.length > 0 || size - (this.#syncedBytes.get(path) ?? 0) < syncEveryBytes) return
    this.#syncedBytes.set(path, size)
    this.#queue.run(() => this.#datasync(path)).catch(() => {})
  }

  /** The file, and its name in its folder. */
  now(path: string, folder: string): Promise<void> {
    this.#syncedBytes.delete(path)
    return this.#queue.run(async () => {
      await this.#datasync(path)
      await datasync(folder)
    })
  }

  /** The file is gone. */
  forget(path: string): void {
    this.#syncedBytes.delete(path)
    this.#failures.delete(path)
  }

  /**
   * What the system could not write it gives up, and tells of once: the next sync of the same file would succeed. So one
   * that has failed fails for as long as there is the file.
   */
  async #datasync(path: string): Promise<void> {
    if (this.#failures.has(path)) throw this.#failures.get(path)
    try {
      await datasync(path)
    } catch (error) {
      this.#failures.set(path, error)
      throw error
    }
  }
}

async function datasync(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.datasync()
}
