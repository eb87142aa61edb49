import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Database, refuseInsideTransaction, runTransaction } from './database.ts'
import type { Tables } from './tables.ts'

/** More distinct statements than this come only from ad hoc queries; the oldest make room. */
const maxCachedStatements = 500

interface Prepared {
  statement: StatementSync
  /** Asking the statement for its columns costs as much as running it, so ask once. */
  reads: boolean
}

class Connection implements DatabaseConnection {
  readonly #raw: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(raw: DatabaseSync) {
    this.#raw = raw
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#raw.prepare(sql)
    const fresh = { statement, reads: statement.columns().length > 0 }
    if (this.#prepared.size >= maxCachedStatements) {
      const oldest = this.#prepared.keys().next().value
      if (oldest !== undefined) this.#prepared.delete(oldest)
    }
    this.#prepared.set(sql, fresh)
    return fresh
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, reads } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (reads) return { rows: statement.all(...values) as R[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // its own statement: a cached one may be asked for again while this one is half read
    for (const row of this.#raw.prepare(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] }
  }
}

/** One connection, one user of it at a time, in the order they asked. */
class SerialDriver implements Driver {
  readonly #raw: DatabaseSync
  readonly #connection: Connection
  #tail: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(raw: DatabaseSync) {
    this.#raw = raw
    this.#connection = new Connection(raw)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#tail
    let release = (): void => {}
    this.#tail = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async beginTransaction(): Promise<void> {
    // immediate: the write lock now, not at the first write, where it could no longer wait
    this.#raw.exec('begin immediate')
  }

  async commitTransaction(): Promise<void> {
    this.#raw.exec('commit')
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#raw.isTransaction) this.#raw.exec('rollback')
  }

  async destroy(): Promise<void> {
    this.#raw.close()
  }
}

/** Reads never wait for the writer: in WAL mode they see the last commit. */
class ReadDriver extends SerialDriver {
  readonly #reader: Connection

  constructor(raw: DatabaseSync) {
    super(raw)
    this.#reader = new Connection(raw)
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#reader
  }

  override async releaseConnection(): Promise<void> {}
}

class Adapter extends SqliteAdapter {
  // our drivers queue by themselves
  override get supportsMultipleConnections(): boolean {
    return true
  }
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const kysely = (driver: Driver): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })

export interface OpenedDatabase extends Database {
  /** For migrations and restore only. */
  readonly writer: Kysely<Tables>
}

export function openSqlite(file: string): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const rawWriter = new DatabaseSync(file, { timeout: 5000 })
  // FULL: a commit that was acknowledged is on the disk
  rawWriter.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
  const rawReader = new DatabaseSync(file, { timeout: 5000, readOnly: true })
  rawReader.exec('pragma cache_size = -65536; pragma mmap_size = 1073741824')
  const writer = kysely(new SerialDriver(rawWriter))
  const reader = kysely(new ReadDriver(rawReader))
  return {
    engine: 'sqlite',
    writer,
    get read() {
      refuseInsideTransaction()
      return reader
    },
    transaction: (work) => runTransaction(writer, work),
    // the one writer is the lock
    lock: async () => {},
    // and there are no peers
    onPeerCommit: () => () => {},
    notifyPeers: async () => {},
    close: async () => {
      await reader.destroy()
      await writer.destroy()
    },
  }
}
