import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * One process per data folder. An exclusive SQLite transaction on a file of its own is an advisory lock that
 * the operating system drops when the process dies, however it dies; Node offers no flock.
 */
export function lockFolder(folder: string): { release(): void } {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (cause) {
    lock.close()
    throw new Error(`another process already works in the data folder ${folder}`, { cause })
  }
  return { release: () => lock.close() }
}
