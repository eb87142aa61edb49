import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
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
import { shapeOf } from '../platform/shape.ts'
import type { Tables } from './tables.ts'

/** More distinct statements than this come only from ad hoc queries; the longest unused make room. */
const maxCachedStatements = 500

interface Prepared {
  statement: StatementSync
  /** For a statement that reads. Asking it for its columns costs as much as running it, so that is done once. */
  makeRow: ((values: readonly unknown[]) => Record<string, unknown>) | undefined
}

/** A node:sqlite connection as Kysely wants it, with its statements prepared once. */
export class Connection implements DatabaseConnection {
  readonly #raw: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(raw: DatabaseSync) {
    this.#raw = raw
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) {
      // last in the map is the last to go
      this.#prepared.delete(sql)
      this.#prepared.set(sql, known)
      return known
    }
    const statement = this.#raw.prepare(sql)
    const names = statement.columns().map((column) => column.name)
    // rows arrive as bare lists of values: cheaper than the driver's objects, which have no shape
    statement.setReturnArrays(true)
    const fresh = { statement, makeRow: names.length > 0 ? shapeOf(names) : undefined }
    if (this.#prepared.size >= maxCachedStatements) {
      const oldest = this.#prepared.keys().next().value
      if (oldest !== undefined) this.#prepared.delete(oldest)
    }
    this.#prepared.set(sql, fresh)
    return fresh
  }

  rows(sql: string, parameters: readonly unknown[]): Record<string, unknown>[] {
    const { statement, makeRow } = this.#prepare(sql)
    const lists = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
    return makeRow ? lists.map(makeRow) : []
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, makeRow } = this.#prepare(sql)
    if (makeRow) return { rows: this.rows(sql, parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]))
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // its own statement: a cached one may be asked for again while this one is half read
    for (const row of this.#raw.prepare(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] }
  }
}

/** One connection, one user of it at a time, in the order they asked. */
export class SerialDriver implements Driver {
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
export class ReadDriver extends SerialDriver {
  readonly #reader: Connection

  constructor(raw: DatabaseSync, reader: Connection) {
    super(raw)
    this.#reader = reader
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

export const kyselyOver = (driver: Driver): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
