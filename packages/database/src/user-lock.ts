import type { Role } from '@wharf/contract'
import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from './database.ts'

/**
 * Every change holds the row of its user, and holders let further ones in before whoever waits to change that row: by
 * calling on and on a user would put off its own revocation. This lock is granted in turn. Whoever revokes takes it by
 * `Database.lock` before the rows; one that acts for a caller, who is held as well, takes `adminLock` before both.
 */
export const userLock = (userUuid: string): string => `user ${userUuid}`

/**
 * Ends a condition, on PostgreSQL: waits for the turn of the `userLock` that parameter $2 names. Rows are locked after it and
 * then read as they are by now; without `for share` they would be as they were when the statement began.
 */
export const inTurn = '(select pg_advisory_xact_lock_shared(hashtext($2))) is not null'

const ofUser = 'select "role", "passwordHash" from "users" where "uuid" = '

/** The user as it is now, and as nobody changes it until this transaction ends. */
export async function holdUser(
  tx: Tx,
  engine: Engine,
  uuid: string,
): Promise<{ role: Role; passwordHash: string } | undefined> {
  const query =
    engine === 'postgres'
      ? CompiledQuery.raw(`${ofUser}$1 and ${inTurn} for share`, [uuid, userLock(uuid)])
      : // the one writer is the lock
        CompiledQuery.raw(`${ofUser}?`, [uuid])
  return (await tx.executeQuery<{ role: Role; passwordHash: string }>(query)).rows[0]
}
