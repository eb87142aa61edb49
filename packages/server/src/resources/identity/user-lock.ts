import type { Role } from '@wharf/contract'
import type { Engine, Tx } from '@wharf/database/database.ts'
import { CompiledQuery } from 'kysely'

/**
 * The name of a fair lock. Every change holds a share of its user's row, and PostgreSQL grants further shares before an
 * exclusive lock that waits: a user that never stops calling would postpone its own revocation. This lock is granted in
 * order. A revocation takes it by `Database.lock` before the rows; when it acts for a caller, whose row is locked too, it
 * takes `adminLock` before both.
 */
export const userLock = (userUuid: string): string => `user ${userUuid}`

/**
 * A condition for PostgreSQL that waits for the `userLock` in parameter $2. The rows are locked after it, and `for share`
 * reads them as they are then, not as they were when the statement started.
 */
export const userLockGranted = '(select pg_advisory_xact_lock_shared(hashtext($2))) is not null'

const ofUser = 'select "role", "scope", "passwordHash" from "users" where "uuid" = '

interface LockedUser {
  readonly role: Role
  /** JSON. */
  readonly scope: string
  readonly passwordHash: string
}

/** The current user, which no other transaction changes before this one ends. */
export async function lockUser(tx: Tx, engine: Engine, uuid: string): Promise<LockedUser | undefined> {
  const query =
    engine === 'postgres'
      ? CompiledQuery.raw(`${ofUser}$1 and ${userLockGranted} for share`, [uuid, userLock(uuid)])
      : // SQLite has one writer at a time
        CompiledQuery.raw(`${ofUser}?`, [uuid])
  return (await tx.executeQuery<LockedUser>(query)).rows[0]
}
