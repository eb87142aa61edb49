import { open } from 'node:fs/promises'
import { SerialQueue } from '@wharf/platform/serial-queue.ts'
import { syncEveryBytes } from './limits.ts'

/**
 * Syncs files to the disk, one at a time: every sync occupies a thread of the pool that all file operations share. Syncs
 * while an upload runs cost nothing, and leave little to wait for at its end.
 */
export class FileSyncs {
  readonly #syncedBytes = new Map<string, number>()
  readonly #failures = new Map<string, unknown>()
  readonly #queue = new SerialQueue()

  /** Starts a sync when enough bytes are new and no other sync is running. */
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

  /** For a file that was removed. */
  forget(path: string): void {
    this.#syncedBytes.delete(path)
    this.#failures.delete(path)
  }

  /**
   * The system reports bytes that it could not write only once, and the next sync of the file would succeed. So a file
   * whose sync has failed fails as long as it exists.
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
