/** What an engine's error means, whichever engine it is. */

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code
const sqliteCodeOf = (error: unknown): unknown => (error as { errcode?: unknown } | null)?.errcode

const sqliteConstraintUnique = 2067
const sqliteConstraintPrimaryKey = 1555

export const isUniqueViolation = (error: unknown): boolean =>
  codeOf(error) === '23505' ||
  sqliteCodeOf(error) === sqliteConstraintUnique ||
  sqliteCodeOf(error) === sqliteConstraintPrimaryKey

const sqliteConstraintForeignKey = 787

/** Something still refers to the row. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === '23503' || sqliteCodeOf(error) === sqliteConstraintForeignKey

/** serialization_failure, deadlock_detected: a retry of the same work succeeds. */
export const isSerialisationFailure = (error: unknown): boolean => ['40001', '40P01'].includes(String(codeOf(error)))

/** PostgreSQL has stopped a statement at its timeout; the connection can be reused. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** PostgreSQL: the lock of another transaction was not released in time; nothing was changed. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])

/** It was the primary at connection time and is a standby now. */
export const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006'

/** PostgreSQL has ended a transaction that was idle for too long; nothing was changed. */
export const isIdleTimeout = (error: unknown): boolean => codeOf(error) === '25P03'

const inDoubt = new WeakSet<object>()

export function markCommitInDoubt(error: unknown): void {
  if (typeof error === 'object' && error !== null) inDoubt.add(error)
}

/** The connection was lost between the commit and its response: the transaction is committed, or it is not. */
export const isCommitInDoubt = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && inDoubt.has(error)

/** The connection or the server was lost; nothing is wrong with the statement. */
export function isConnectionFailure(error: unknown): boolean {
  const code = String(codeOf(error))
  // class 08: connection exception; 57P01-03: the server is shutting down or starting; 25P03: idle in transaction
  if (isReadOnlyServer(error)) return true
  const hasNoSocket = code === 'ENOENT' && (error as { syscall?: unknown }).syscall === 'connect'
  if (hasNoSocket || networkCodes.has(code) || /^08|^57P0[123]|^25P03|^53300/.test(code)) return true
  const text = error instanceof Error ? error.message : ''
  return /Connection terminated|connection is closed|not queryable|timeout exceeded when trying to connect|Query read timeout/.test(
    text,
  )
}

/** The lower byte is the kind of failure, the rest the call that failed. */
function sqliteKindOf(error: unknown): number | undefined {
  const code = sqliteCodeOf(error)
  return typeof code === 'number' ? code & 0xff : undefined
}

export const sqliteIoError = 10
const sqliteReadOnly = 8
const sqliteFull = 13
const sqliteCannotOpen = 14
/** 53100: disk full; 58030: I/O error. */
const postgresDiskCodes = new Set<unknown>(['53100', '58030'])

/** The disk under the database is full or fails; nothing is wrong with the statement, and it was rolled back. */
export function isDiskFailure(error: unknown): boolean {
  const kind = sqliteKindOf(error)
  return (
    kind === sqliteIoError ||
    // with the extended code of a disk; without one, a statement that writes was given to a connection that only reads
    (kind === sqliteReadOnly && sqliteCodeOf(error) !== sqliteReadOnly) ||
    kind === sqliteFull ||
    kind === sqliteCannotOpen ||
    postgresDiskCodes.has(codeOf(error))
  )
}

/** SQLite opens a file that it may not write for reading only. */
export const isReadOnlyFile = (error: unknown): boolean => sqliteKindOf(error) === sqliteReadOnly

export const sqliteCorrupt = 11
const sqliteNotADatabase = 26
/** XX001: data_corrupted; XX002: index_corrupted. */
const postgresDamageCodes = new Set<unknown>(['XX001', 'XX002'])

/** The files of the database are not what the engine wrote: a backup must be restored. */
export const isDamaged = (error: unknown): boolean => {
  const kind = sqliteKindOf(error)
  return kind === sqliteCorrupt || kind === sqliteNotADatabase || postgresDamageCodes.has(codeOf(error))
}

/** A retry may succeed later: when the database is reachable and writable again, or other transactions have ended. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionFailure(error) ||
  isDiskFailure(error) ||
  isSerialisationFailure(error) ||
  isStatementTimeout(error) ||
  isLockTimeout(error) ||
  // jobs wait for the restored database
  isDamaged(error)

/** The server responds and denies access: class 28 wrong user or password, 3D000 no such database, 42501 no right to it. */
export const isRefusedByServer = (error: unknown): boolean => /^(28|3D000|42501)/.test(String(codeOf(error)))
