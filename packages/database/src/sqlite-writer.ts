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
  /** Of the disk, once the commit is due; others may join until it ends. Never rejects. */
  probe: Promise<void> | undefined
  hasProbed: boolean
  /** Why it must not be committed. */
  refusal: unknown
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
    throw new Error('the writer does not stream rows: it would block all other transactions')
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
    this.#commitWhenDue()
    this.#faults.refuseWrites()
    this.#faults.refuseTruncatedLog()
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
      // not when it has ended: the engine has rolled back automatically, or was closed
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
    if (!this.#isTaken) await this.#finish()
    this.#abandon(new Error('the database was closed'))
    this.#raw.close()
  }

  async #run(turn: Turn, query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (turn.shared) this.#partOf(turn)
    // a statement without a transaction is no part of that of others
    else await this.#finish()
    try {
      return await this.#connection.executeQuery(query)
    } catch (error) {
      // a full disk may end the whole transaction, with the parts of others
      if (!this.#raw.isTransaction) this.#abandon(error)
      throw error
    }
  }

  #partOf({ isOver, shared }: Turn): SharedCommit {
    if (isOver || shared === undefined || shared !== this.#shared) throw new Error('the transaction is over')
    return shared
  }

  #open(): SharedCommit {
    const shared: SharedCommit = {
      openedAt: performance.now(),
      isDue: false,
      done: 0,
      committed: Promise.withResolvers<void>(),
      probe: undefined,
      hasProbed: false,
      refusal: undefined,
    }
    setImmediate(() => {
      shared.isDue = true
      if (this.#shared === shared && !this.#isTaken) this.#commitWhenDue()
    })
    return shared
  }

  #handOn(turn: Turn): void {
    if (turn.isOver) return
    turn.isOver = true
    this.#commitWhenDue()
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  #commitWhenDue(): void {
    const shared = this.#shared
    if (!shared || !(shared.isDue || performance.now() - shared.openedAt > maxJoiningMs)) return
    shared.probe ??= this.#probeDisk(shared)
    if (!shared.probe || shared.hasProbed) this.#commit()
  }

  /** A statement that follows is no part of what others share. */
  async #finish(): Promise<void> {
    const shared = this.#shared
    if (!shared) return
    shared.probe ??= this.#probeDisk(shared)
    await shared.probe
    if (this.#shared === shared) this.#commit()
  }

  #probeDisk(shared: SharedCommit): Promise<void> | undefined {
    return this.#faults
      .probeDisk()
      ?.catch((error: unknown) => {
        shared.refusal = error
      })
      .then(() => {
        shared.hasProbed = true
        if (this.#shared === shared && !this.#isTaken) this.#commit()
      })
  }

  #commit(): void {
    const shared = this.#shared
    if (!shared) return
    try {
      if (shared.refusal) throw shared.refusal
      this.#faults.refuseTruncatedLog()
      this.#raw.exec('commit')
      this.#faults.refuseTruncatedLog()
      shared.committed.resolve()
      this.#shared = undefined
    } catch (error) {
      this.#abandon(error)
      return
    }
    this.#faults.disk?.noteSync()
    this.#onCommit()
  }

  /** Nothing uncommitted is kept, and every transaction with a part in it is rejected. */
  #abandon(reason: unknown): void {
    this.#faults.note(reason)
    const shared = this.#shared
    this.#shared = undefined
    if (shared && shared.done > 0) shared.committed.reject(reason)
    try {
      if (this.#raw.isTransaction) this.#raw.exec('rollback')
    } catch {
      // the next begin fails and reports it
    }
  }
}
