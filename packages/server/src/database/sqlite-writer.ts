import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Connection } from './sqlite-driver.ts'
import type { SqliteFaults } from './sqlite-faults.ts'

/** After so long nobody else may join a commit, however many there are: those in it wait for all that join. */
const maxJoiningMs = 4

/** One transaction of the engine, in which several have a part: to sync the disk costs more than what most of them do. */
interface SharedCommit {
  readonly openedAt: number
  /** The turn of the event loop in which it was opened has ended. */
  isDue: boolean
  /** How many have done their part and wait for the commit. */
  done: number
  readonly committed: PromiseWithResolvers<void>
}

type Run = (turn: Turn, query: CompiledQuery) => Promise<QueryResult<unknown>>

/** The writer's connection, for as long as it is one user's. */
class Turn implements DatabaseConnection {
  readonly #run: Run
  isOver = false
  /** The transaction that it has a part in. */
  shared: SharedCommit | undefined
  /** The first has none: when it fails there is nothing else to be kept. */
  hasSavepoint = false

  constructor(run: Run) {
    this.#run = run
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#run(this, query) as Promise<QueryResult<R>>
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('nobody may hold the writer for as long as a reader takes')
  }
}

/**
 * One connection, one user of it at a time, in the order they asked. Transactions of one turn of the event loop share a
 * commit: each but the first has a savepoint, so that one that fails takes nothing of the others with it. Nobody has an
 * answer, be it a refusal for what another has just written, before the commit is on the disk.
 */
export class WriteDriver implements Driver {
  readonly #raw: DatabaseSync
  readonly #connection: Connection
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  readonly #faults: SqliteFaults
  readonly #onCommit: () => void
  #shared: SharedCommit | undefined

  constructor(raw: DatabaseSync, faults: SqliteFaults, onCommit: () => void) {
    this.#raw = raw
    this.#onCommit = onCommit
    this.#faults = faults
    this.#connection = new Connection(raw, faults)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return new Turn((turn, query) => this.#run(turn, query))
  }

  async releaseConnection(turn: Turn): Promise<void> {
    this.#handOn(turn)
  }

  async beginTransaction(turn: Turn): Promise<void> {
    if (turn.isOver) throw new Error('this turn had its transaction')
    await this.#commitWhenDue()
    this.#faults.refuseWrites()
    turn.hasSavepoint = this.#shared !== undefined
    try {
      // immediate: the write lock now, not at the first write, where it could no longer wait
      this.#raw.exec(turn.hasSavepoint ? 'savepoint "part"' : 'begin immediate')
    } catch (error) {
      this.#faults.note(error)
      throw error
    }
    this.#shared ??= this.#open()
    turn.shared = this.#shared
  }

  async commitTransaction(turn: Turn): Promise<void> {
    const shared = this.#partOf(turn)
    if (turn.hasSavepoint) this.#raw.exec('release "part"')
    shared.done++
    this.#handOn(turn)
    await shared.committed.promise
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    // the commit that it shared has failed
    if (turn.isOver) return
    const { shared, hasSavepoint } = turn
    try {
      // not when it is gone: the engine has rolled back by itself, or was closed
      if (shared === this.#shared) this.#raw.exec(hasSavepoint ? 'rollback to "part"; release "part"' : 'rollback')
      if (!hasSavepoint) this.#shared = undefined
    } catch (error) {
      this.#abandon(error)
    }
    this.#handOn(turn)
    // it may have failed for what it saw of the others
    if (hasSavepoint) await shared?.committed.promise
  }

  async destroy(): Promise<void> {
    if (!this.#isTaken) await this.#commit()
    this.#abandon(new Error('the database was closed'))
    this.#raw.close()
  }

  async #run(turn: Turn, query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (turn.shared) this.#partOf(turn)
    // a statement without a transaction is no part of that of others
    else await this.#commit()
    try {
      return await this.#connection.executeQuery(query)
    } catch (error) {
      // a full disk may end the whole transaction, whoever has a part in it
      if (!this.#raw.isTransaction) this.#abandon(error)
      throw error
    }
  }

  #partOf({ isOver, shared }: Turn): SharedCommit {
    if (isOver || shared === undefined || shared !== this.#shared) throw new Error('the transaction is over')
    return shared
  }

  #open(): SharedCommit {
    const shared = { openedAt: performance.now(), isDue: false, done: 0, committed: Promise.withResolvers<void>() }
    setImmediate(() => {
      shared.isDue = true
      if (this.#shared !== shared || this.#isTaken) return
      this.#isTaken = true
      this.#goOnAfter(this.#commit())
    })
    return shared
  }

  #handOn(turn: Turn): void {
    if (turn.isOver) return
    turn.isOver = true
    this.#goOnAfter(this.#commitWhenDue())
  }

  #goOnAfter(commit: Promise<void> | undefined): void {
    if (commit) void commit.then(() => this.#next())
    else this.#next()
  }

  #next(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  #commitWhenDue(): Promise<void> | undefined {
    const shared = this.#shared
    const isDue = shared && (shared.isDue || performance.now() - shared.openedAt > maxJoiningMs)
    return isDue ? this.#commit() : undefined
  }

  /** Never rejects: those who share the commit have its error. Undefined when it is over already. */
  #commit(): Promise<void> | undefined {
    const shared = this.#shared
    const probed = shared && this.#faults.probeDisk()
    if (probed)
      return probed.then(
        () => this.#commitNow(shared),
        (error: unknown) => this.#abandon(error),
      )
    this.#commitNow(shared)
    return undefined
  }

  #commitNow(shared: SharedCommit | undefined): void {
    // the database may have been closed meanwhile
    if (!shared || shared !== this.#shared) return
    try {
      this.#raw.exec('commit')
      shared.committed.resolve()
      this.#shared = undefined
    } catch (error) {
      this.#abandon(error)
      return
    }
    this.#faults.disk?.noteSync()
    this.#onCommit()
  }

  /** Nothing is kept of what is not yet committed, and all who have done their part in it are told. */
  #abandon(reason: unknown): void {
    this.#faults.note(reason)
    const shared = this.#shared
    this.#shared = undefined
    if (shared && shared.done > 0) shared.committed.reject(reason)
    try {
      if (this.#raw.isTransaction) this.#raw.exec('rollback')
    } catch {
      // the next begin says so
    }
  }
}
