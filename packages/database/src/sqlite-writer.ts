import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { Connection } from './sqlite-driver.ts'
import type { SqliteFaults } from './sqlite-faults.ts'

/** No transaction joins a commit that is older: those in it wait for all that join. */
const maxJoiningMs = 4

/** One transaction of the engine that contains several of ours: a sync of the disk costs more than most of them. */
interface SharedCommit {
  readonly openedAt: number
  /** The turn of the event loop in which it was opened has ended. */
  isDue: boolean
  /** How many have finished and wait for the commit. */
  done: number
  readonly committed: PromiseWithResolvers<void>
  /** The probe of the disk, once the commit is due; others may join until it ends. Never rejects. */
  probe: Promise<void> | undefined
  hasProbed: boolean
  /** Why it must not be committed. */
  refusal: unknown
}

type Run = (lease: WriterLease, query: CompiledQuery) => Promise<QueryResult<unknown>>

/** Exclusive use of the writer's connection. */
class WriterLease implements DatabaseConnection {
  readonly #run: Run
  isOver = false
  /** The commit that it belongs to. */
  shared: SharedCommit | undefined
  /** The first has none: when it fails there is nothing else to keep. */
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
 * One connection with one user at a time, first in, first out. Transactions of one turn of the event loop share a commit:
 * each but the first has a savepoint, so that a failed one rolls back only itself. No transaction settles, not even with a
 * refusal caused by what another has just written, before the commit is on the disk.
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

  async acquireConnection(): Promise<WriterLease> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    return new WriterLease((lease, query) => this.#run(lease, query))
  }

  async releaseConnection(lease: WriterLease): Promise<void> {
    this.#release(lease)
  }

  async beginTransaction(lease: WriterLease): Promise<void> {
    if (lease.isOver) throw new Error('this connection already had its transaction')
    this.#commitWhenDue()
    this.#faults.refuseWrites()
    lease.hasSavepoint = this.#shared !== undefined
    // one that joins is refused with the commit
    if (!lease.hasSavepoint) this.#faults.refuseTruncatedLog()
    try {
      // immediate: the write lock now, not at the first write, where it could no longer wait
      this.#raw.exec(lease.hasSavepoint ? 'savepoint "part"' : 'begin immediate')
    } catch (error) {
      this.#faults.note(error)
      throw error
    }
    this.#shared ??= this.#open()
    lease.shared = this.#shared
  }

  /** After the commit of earlier transactions, which it does not join; later ones may join its own. */
  async beginNewCommit(lease: WriterLease): Promise<void> {
    await this.#finish()
    await this.beginTransaction(lease)
  }

  async commitTransaction(lease: WriterLease): Promise<void> {
    const shared = this.#partOf(lease)
    if (lease.hasSavepoint) this.#raw.exec('release "part"')
    shared.done++
    this.#release(lease)
    await shared.committed.promise
  }

  async rollbackTransaction(lease: WriterLease): Promise<void> {
    // the commit that it shared has failed
    if (lease.isOver) return
    const { shared, hasSavepoint } = lease
    try {
      // not when it has ended: the engine has rolled back automatically, or was closed
      if (shared === this.#shared) this.#raw.exec(hasSavepoint ? 'rollback to "part"; release "part"' : 'rollback')
      if (!hasSavepoint) this.#shared = undefined
    } catch (error) {
      this.#abandon(error)
    }
    this.#release(lease)
    // it may have failed because of uncommitted changes of the others
    if (hasSavepoint) await shared?.committed.promise
  }

  async destroy(): Promise<void> {
    if (!this.#isTaken) await this.#finish()
    this.#abandon(new Error('the database was closed'))
    this.#raw.close()
  }

  async #run(lease: WriterLease, query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (lease.shared) this.#partOf(lease)
    // a statement without a transaction must not join that of others
    else await this.#finish()
    try {
      return await this.#connection.executeQuery(query)
    } catch (error) {
      // a full disk may end the whole transaction, including those that share it
      if (!this.#raw.isTransaction) this.#abandon(error)
      throw error
    }
  }

  #partOf({ isOver, shared }: WriterLease): SharedCommit {
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

  #release(lease: WriterLease): void {
    if (lease.isOver) return
    lease.isOver = true
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

  /** A statement that follows must not join the shared commit. */
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

  /** Rolls back everything uncommitted and rejects every transaction in it. */
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

/**
 * The same writer for transactions of many rows, each of which starts a new commit: as a part of a commit of others it could be
 * rolled back alone, for which SQLite copies every page before it changes it, and writes pages that are no longer used.
 */
export class NewCommitDriver implements Driver {
  readonly #writer: WriteDriver

  constructor(writer: WriteDriver) {
    this.#writer = writer
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<WriterLease> {
    return this.#writer.acquireConnection()
  }

  releaseConnection(lease: WriterLease): Promise<void> {
    return this.#writer.releaseConnection(lease)
  }

  beginTransaction(lease: WriterLease): Promise<void> {
    return this.#writer.beginNewCommit(lease)
  }

  commitTransaction(lease: WriterLease): Promise<void> {
    return this.#writer.commitTransaction(lease)
  }

  rollbackTransaction(lease: WriterLease): Promise<void> {
    return this.#writer.rollbackTransaction(lease)
  }

  /** The writer is closed where it was opened. */
  async destroy(): Promise<void> {}
}
