import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { sharedNames } from '@wharf/platform/shared-names.ts'
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
import { charactersOf, maxInlineCharacters } from './read-cost.ts'
import { deadlineExceeded, ReadDeadline } from './read-deadline.ts'
import { isRepeated, type RepeatedQuery } from './repeated-query.ts'
import { RowList } from './row-list.ts'
import type { SqliteFaults } from './sqlite-faults.ts'
import type { Tables } from './tables.ts'

/** More distinct statements come only from ad hoc queries. The oldest are removed, used or not, so that a read does not have to reorder them. */
const maxCachedStatements = 500

interface Prepared {
  statement: StatementSync
  /** Of its columns; empty unless it reads. Reading them costs as much as running it, so that is done once. */
  names: readonly string[]
}

/** A node:sqlite connection for Kysely, with its statements prepared once. */
export class Connection implements DatabaseConnection {
  readonly #raw: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  readonly #deadline: ReadDeadline
  readonly #faults: SqliteFaults

  constructor(raw: DatabaseSync, faults: SqliteFaults) {
    this.#raw = raw
    this.#faults = faults
    this.#deadline = new ReadDeadline(raw)
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#raw.prepare(sql)
    const names = sharedNames(statement.columns().map((column) => column.name))
    // rows arrive as bare lists of values: cheaper than the driver's objects, which have no shape
    statement.setReturnArrays(true)
    const fresh = { statement, names }
    if (this.#prepared.size >= maxCachedStatements) {
      const oldest = this.#prepared.keys().next().value
      if (oldest !== undefined) this.#prepared.delete(oldest)
    }
    this.#prepared.set(sql, fresh)
    return fresh
  }

  rows(sql: string, parameters: readonly unknown[]): RowList {
    try {
      const { statement, names } = this.#prepare(sql)
      return new RowList(names, statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][])
    } catch (error) {
      this.#faults.note(error)
      throw error
    }
  }

  /** Undefined when the time was over before the end, or the rows are too large to be read in one piece. */
  rowsWithin(ms: number, sql: string, parameters: readonly unknown[], isLarge: boolean): RowList | undefined {
    this.#deadline.set(ms)
    try {
      return isLarge ? this.#countedRows(sql, parameters) : this.rows(sql, parameters)
    } catch (error) {
      // an iterator reports an error of its own, and its statement reports it again when it is used the next time
      if (isLarge) this.#prepared.delete(sql)
      if (error === deadlineExceeded || this.#deadline.isOver) return undefined
      throw error
    }
  }

  #countedRows(sql: string, parameters: readonly unknown[]): RowList | undefined {
    const { statement, names } = this.#prepare(sql)
    const lists: unknown[][] = []
    let characters = 0
    for (const values of statement.iterate(...(parameters as SQLInputValue[])) as unknown as Iterable<unknown[]>) {
      characters += charactersOf(values)
      if (characters > maxInlineCharacters || this.#deadline.isOver) return undefined
      lists.push(values)
    }
    return new RowList(names, lists)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    try {
      if (isRepeated(query)) return { rows: [], numAffectedRows: BigInt(this.#runRepeated(query)) }
      const { statement, names } = this.#prepare(sql)
      if (names.length > 0) return { rows: this.rows(sql, parameters).objects() as R[] }
      const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]))
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      this.#faults.note(error)
      throw error
    }
  }

  /** Returns the number of changed rows. */
  #runRepeated({ statements }: RepeatedQuery): number {
    let changed = 0
    for (const { sql, lists } of statements) {
      const { statement } = this.#prepare(sql)
      for (const values of lists) changed += Number(statement.run(...(values as SQLInputValue[])).changes)
    }
    return changed
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // its own statement: a cached one may be run again while this one is partly read
    for (const row of this.#raw.prepare(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] }
  }
}

/** Reads never wait for the writer, nor for each other: in WAL mode they see the last commit. */
export class ReadDriver implements Driver {
  readonly #raw: DatabaseSync
  readonly #connection: Connection

  constructor(raw: DatabaseSync, connection: Connection) {
    this.#raw = raw
    this.#connection = connection
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('all readers share one connection: only the writer has transactions')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#raw.close()
  }
}

class Adapter extends SqliteAdapter {
  // the drivers queue themselves
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
