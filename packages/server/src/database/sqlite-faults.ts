import { isDamaged, sqliteIoError } from './failures.ts'

/** What makes a SQLite database unusable, shared by its connections. */
export class SqliteFaults {
  /** The first report of a damaged file. It stays: later statements may read sound pages only. */
  damage: string | undefined
  /** Why no write is to be attempted: one on a disk that hangs would block the event loop. */
  writeRefusal: string | undefined

  note(error: unknown): void {
    if (isDamaged(error)) this.damage ??= (error as Error).message
  }

  refuseWrites(): void {
    if (this.writeRefusal !== undefined) throw Object.assign(new Error(this.writeRefusal), { errcode: sqliteIoError })
  }
}
