import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely, Transaction } from 'kysely'
import type { ReadOptions } from './read-cost.ts'
import type { RowList } from './row-list.ts'
import type { Tables } from './tables.ts'
import { TransactionValue } from './transaction-value.ts'

export type Engine = 'sqlite' | 'postgres'
export type Reader = Kysely<Tables>
export type Tx = Transaction<Tables>

/** The database as the rest of the server sees it: reads anywhere, writes only in a transaction. */
export interface Database {
  readonly engine: Engine
  /** Sees what is committed. Throws inside a transaction, which reads itself. */
  readonly read: Reader
  /** The rows of a hand-built statement: the query language does not use the query builder. */
  rows(sql: string, values: readonly unknown[], options?: ReadOptions): Promise<RowList>
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Blocks other transactions that lock the same name until this one ends. */
  lock(tx: Tx, name: string): Promise<void>
  /** Calls back when another node has committed a change. Returns a stop function. */
  onPeerCommit(wake: () => void): () => void
  /** Notifies the other nodes after the commit of this transaction; commits in quick succession are one notification. */
  notifyPeers(tx: Tx): void
  /** The connections of a pool, for the metrics. */
  connections?(): { readonly used: number; readonly idle: number; readonly waiting: number; readonly limit: number }
  close(): Promise<void>
}

export interface TransactionOptions {
  /** It must not wait behind other calls, such as the renewal of a lease. */
  readonly isUrgent?: boolean
  /** It writes hundreds of rows, and does not join the commit of others. */
  readonly isLarge?: boolean
}

const inside = new AsyncLocalStorage<true>()

interface CommitWork {
  readonly before: (() => Promise<void>)[]
  /** Runs after `before`, which may add to it. */
  readonly last: (() => Promise<void>)[]
  readonly after: (() => void)[]
  /** Of a part: the transaction that contains it. */
  readonly whole?: Tx
}

const commitWork = new TransactionValue<CommitWork>()

/** Runs work in the transaction after everything else in it; when it fails, the transaction is rolled back. */
export function beforeCommit(tx: Tx, work: () => Promise<void>): void {
  commitWorkOf(tx).before.push(work)
}

/** Runs work in the transaction after all work before the commit, also after that of its parts. */
export function lastBeforeCommit(tx: Tx, work: () => Promise<void>): void {
  commitWorkOf(tx).last.push(work)
}

/** The transaction that contains this part of it. */
export const wholeOf = (tx: Tx): Tx => commitWork.get(tx)?.whole ?? tx

/** Runs work in this process after the commit, and never after a rollback. */
export function afterCommit(tx: Tx, work: () => void): void {
  commitWorkOf(tx).after.push(work)
}

/**
 * A part of a transaction that many share: what collects the changes of a transaction collects those of this part alone.
 * Its work before the commit is run by `prepareCommit`.
 */
export function sharedPart(tx: Tx): Tx {
  const part: Tx = tx.$extendTables()
  commitWork.set(part, { before: [], last: [], after: commitWorkOf(tx).after, whole: wholeOf(tx) })
  return part
}

/** Runs what was registered to run before the commit. */
export async function prepareCommit(tx: Tx): Promise<void> {
  const { before = [], last = [] } = commitWork.get(tx) ?? {}
  for (const work of before) await work()
  for (const work of last) await work()
}

function commitWorkOf(tx: Tx): CommitWork {
  const known = commitWork.get(tx)
  if (known) return known
  const work: CommitWork = { before: [], last: [], after: [] }
  commitWork.set(tx, work)
  return work
}

/**
 * Using the database inside a transaction would wait for itself on SQLite and escape the transaction on
 * PostgreSQL, both silently. So it throws.
 */
export function refuseInsideTransaction(): void {
  if (inside.getStore()) throw new Error('inside a transaction use the transaction, not the database')
}

/** For work that a transaction starts but does not contain, such as a timer. */
export const outsideTransaction = <T>(work: () => T): T => inside.exit(work)

/** Receives exceptions of work that runs after a commit. */
export type ReportFailure = (error: unknown) => void

/** Without a log: commands and tests. */
export const warnOfFailure: ReportFailure = (error) =>
  process.emitWarning(error instanceof Error ? error : String(error))

/** Every transaction starts here, on both engines. */
export async function runTransaction<T>(
  writer: Kysely<Tables>,
  work: (tx: Tx) => Promise<T>,
  report: ReportFailure,
): Promise<T> {
  refuseInsideTransaction()
  let transaction: Tx | undefined
  const result = await writer.transaction().execute((tx) => {
    transaction = tx
    return inside.run(true, async () => {
      const result = await work(tx)
      await prepareCommit(tx)
      return result
    })
  })
  if (transaction) for (const then of commitWork.get(transaction)?.after ?? []) runCommitted(then, report)
  return result
}

/** After the commit, an exception must not be reported as its failure, nor prevent the remaining callbacks. */
function runCommitted(work: () => void, report: ReportFailure): void {
  try {
    work()
  } catch (error) {
    report(error)
  }
}
