import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Connection } from './sqlite-driver.ts'

/** For so long those who wait may still join a commit. Each of them waits for all, but nobody much longer than this. */
const maxSharedMs = 4

/** One transaction of the engine, which those that waited for their turn share: a sync of the disk costs more than their work. */
interface SharedCommit {
  readonly until: number
  /** How many have done their work and wait for the commit. */
  members: number
  readonly committed: PromiseWithResolvers<void>
}

/** The writer's connection, for as long as it is one user's. */
class Turn implements DatabaseConnection {
  readonly #run: (query: CompiledQuery) => Promise<QueryResult<unknown>>
  isOver = false
  isTransaction = false

  constructor(run: (turn: Turn, query: CompiledQuery) => Promise<QueryResult<unknown>>) {
    this.#run = (query) => run(this, query)
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(query) as Promise<QueryResult<R>>
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('nobody may hold the writer for as long as a reader takes')
  }
}

/**
 * One connection, one user of it at a time, in the order they asked. Transactions that wait share a commit: each has a
 * savepoint of its own, so that one that fails takes nothing of the others with it, and none has an answer before the
 * commit is on the disk.
 */
export class WriteDriver implements Driver {
  readonly #raw: DatabaseSync
  readonly #connection: Connection
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  #shared: SharedCommit | undefined

  constructor(raw: DatabaseSync) {
    this.#raw = raw
    this.#connection = new Connection(raw)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return new Turn((turn, query) => this.#run(turn, query))
  }

  async releaseConnection(turn: Turn): Promise<void> {
    if (!turn.isOver) this.#handOn(turn)
  }

  async beginTransaction(turn: Turn): Promise<void> {
    // immediate: the write lock now, not at the first write, where it could no longer wait
    this.#raw.exec(this.#shared ? 'savepoint "member"' : 'begin immediate')
    turn.isTransaction = true
    this.#shared ??= { until: performance.now() + maxSharedMs, members: 0, committed: Promise.withResolvers() }
  }

  async commitTransaction(turn: Turn): Promise<void> {
    const shared = this.#shared
    if (!shared) throw new Error('the transaction is over')
    if (shared.members > 0) this.#raw.exec('release "member"')
    shared.members++
    this.#handOn(turn)
    await shared.committed.promise
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    // over when the commit failed that it shared, and gone when the engine has rolled back by itself
    if (turn.isOver || !this.#shared) return
    if (this.#shared.members > 0) this.#raw.exec('rollback to "member"; release "member"')
    else {
      this.#raw.exec('rollback')
      this.#shared = undefined
    }
  }

  async destroy(): Promise<void> {
    this.#raw.close()
  }

  async #run(turn: Turn, query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (turn.isOver) throw new Error('the transaction is over')
    // a statement without a transaction is no part of that of others
    if (!turn.isTransaction) this.#commit()
    try {
      return await this.#connection.executeQuery(query)
    } catch (error) {
      // a full disk may end the whole transaction, whoever has a part in it
      if (this.#shared && !this.#raw.isTransaction) this.#settle(error)
      throw error
    }
  }

  #handOn(turn: Turn): void {
    turn.isOver = true
    if (this.#shared && (this.#waiting.length === 0 || performance.now() > this.#shared.until)) this.#commit()
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  #commit(): void {
    if (!this.#shared) return
    try {
      this.#raw.exec('commit')
      this.#settle()
    } catch (error) {
      if (this.#raw.isTransaction) this.#raw.exec('rollback')
      this.#settle(error)
    }
  }

  #settle(failure?: unknown): void {
    const shared = this.#shared
    this.#shared = undefined
    if (failure === undefined) shared?.committed.resolve()
    else if (shared && shared.members > 0) shared.committed.reject(failure)
  }
}
