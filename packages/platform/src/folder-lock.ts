import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError, reasonOf } from './operator-error.ts'

const sqliteBusy = 5
const sqliteNotADatabase = 26

/**
 * One process per data folder, which is created when it is missing. An exclusive SQLite transaction on a lock file
 * is an advisory lock that the operating system releases when the process ends; Node has no flock.
 */
export function lockFolder(folder: string): Disposable {
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (cause) {
    lock?.close()
    if ((cause as { errcode?: number }).errcode === sqliteBusy)
      throw new OperatorError(
        `another wharf-server works in the data folder ${folder}: stop it first, or set WHARF_DATA to another folder`,
        { cause },
      )
    const path = join(folder, 'lock')
    if (
      (cause as { errcode?: number }).errcode === sqliteNotADatabase ||
      (existsSync(path) && !statSync(path).isFile())
    )
      throw new OperatorError(
        `the data folder ${folder} cannot be used: ${path} is not a lock of wharf-server; stop every wharf-server that works there, then delete that file`,
        { cause },
      )
    const reason = (cause as NodeJS.ErrnoException).code === 'EEXIST' ? 'it is not a folder' : reasonOf(cause)
    throw new OperatorError(`the data folder ${folder} cannot be used: ${reason}`, { cause })
  }
}
