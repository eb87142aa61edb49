import { isDamaged, sqliteCorrupt, sqliteIoError } from './failures.ts'
import type { LogSize } from './sqlite-log-size.ts'

export interface DiskProbe {
  readonly hanging: string | undefined
  /** Rejects when the disk does not finish a write in time. */
  confirm(): Promise<void>
  /** A commit was synced. */
  noteSync(): void
}

/** What makes a SQLite database unusable, shared by its connections. */
export class SqliteFaults {
  /** The first report of a damaged file. It stays: later statements may read sound pages only. */
  damage: string | undefined
  /** Of a running server: what a commit must pass, because one on a disk that hangs would block the event loop. */
  disk: DiskProbe | undefined
  /** Called when acknowledged changes are lost: nothing more may be acknowledged. */
  onLost: ((fault: string) => void) | undefined
  readonly #log: LogSize

  constructor(log: LogSize) {
    this.#log = log
  }

  note(error: unknown): void {
    if (isDamaged(error)) this.damage ??= (error as Error).message
  }

  refuseWrites(): void {
    const reason = this.disk?.hanging
    if (reason !== undefined) throw ioError(reason)
  }

  /** A commit behind a gap in the log would be lost as well, and a clean end would copy the gap into the database. */
  refuseTruncatedLog(): void {
    if (!this.#log.isTruncated()) return
    const fault = `${this.#log.path} was truncated`
    this.damage ??= fault
    this.onLost?.(fault)
    throw Object.assign(new Error(fault), { errcode: sqliteCorrupt })
  }

  /** Undefined without a probe. */
  probeDisk(): Promise<void> | undefined {
    return this.disk?.confirm().catch((error: Error) => {
      throw ioError(error.message)
    })
  }
}

const ioError = (message: string): Error => Object.assign(new Error(message), { errcode: sqliteIoError })
