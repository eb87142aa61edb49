import { isDamaged, sqliteIoError } from './failures.ts'

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

  note(error: unknown): void {
    if (isDamaged(error)) this.damage ??= (error as Error).message
  }

  refuseWrites(): void {
    const reason = this.disk?.hanging
    if (reason !== undefined) throw ioError(reason)
  }

  /** Undefined where nothing is probed: then there is nothing to wait for. */
  probeDisk(): Promise<void> | undefined {
    return this.disk?.confirm().catch((error: Error) => {
      throw ioError(error.message)
    })
  }
}

const ioError = (message: string): Error => Object.assign(new Error(message), { errcode: sqliteIoError })
