import { lowerRole, type Role } from '@wharf/contract'
import type { Engine, Tx } from '@wharf/database/database.ts'
import { type CallerScope, readScope, scopeOf } from '@wharf/database/scope-conditions.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { CompiledQuery } from 'kysely'
import type { Caller } from '../../calls/caller.ts'
import { openSecrets, type StoredSecrets } from './stored-secrets.ts'
import { userLock, userLockGranted } from './user-lock.ts'

export interface LockedCredential {
  readonly role: Role
  readonly scope: CallerScope | undefined
  /** As stored; infinite for a key that does not expire. */
  readonly expiredDate: number
}

interface LockedKey extends StoredSecrets {
  readonly role: Role
  readonly maxRole: Role | null
  readonly userScope: string
  readonly keyScope: string
  readonly userUuid: string
  readonly expiresDate: number | null
}

const ofKey = `select "role", "maxRole", "users"."scope" as "userScope", "accessKeys"."scope" as "keyScope",
"userUuid", "sealedSecret", "sealedPreviousSecret", "overlapEndDate", "expiresDate" from "accessKeys"
join "users" on "users"."uuid" = "userUuid" where "state" = 'Enabled' and "AccessKeyID" = `
const ofSession = `select "role", "scope", "expiredDate" from "sessions"
join "users" on "users"."uuid" = "userUuid" where "hash" = `

/** SQLite has one writer at a time. Using a session updates its row, so a session blocks only its deletion. */
const statements = {
  sqlite: { key: `${ofKey}?`, session: `${ofSession}?` },
  postgres: {
    key: `${ofKey}$1 and ${userLockGranted} for share of "users", "accessKeys"`,
    session: `${ofSession}$1 and ${userLockGranted} for share of "users" for key share of "sessions"`,
  },
}

/** What the credential grants according to the database, locked until this transaction ends. */
export async function lockCredential(
  tx: Tx,
  { engine, sealing }: { engine: Engine; sealing: Sealing },
  { credential, userUuid }: Caller,
): Promise<LockedCredential | undefined> {
  if (credential.kind === 'none') return undefined
  const lockName = engine === 'postgres' ? [userLock(userUuid)] : []
  if (credential.kind === 'session') {
    const query = CompiledQuery.raw(statements[engine].session, [credential.hash, ...lockName])
    const [row] = (await tx.executeQuery<{ role: Role; scope: string; expiredDate: number }>(query)).rows
    return row && { ...row, scope: scopeOf(userUuid, readScope(row.scope)) }
  }
  const query = CompiledQuery.raw(statements[engine].key, [credential.id, ...lockName])
  const [row] = (await tx.executeQuery<LockedKey>(query)).rows
  if (row?.userUuid !== userUuid) return undefined
  const expiredDate = row.expiresDate ?? Number.POSITIVE_INFINITY
  const role = lowerRole(row.role, row.maxRole)
  const scope = scopeOf(userUuid, readScope(row.userScope), readScope(row.keyScope))
  // a rotation of the master key seals the same secret again, so the sealed bytes identify nothing
  const [current, previous] = openSecrets(sealing, credential.id, row)
  if (current.hash === credential.secretHash) return { role, scope, expiredDate }
  if (previous?.hash !== credential.secretHash) return undefined
  return { role, scope, expiredDate: Math.min(expiredDate, previous.validUntil) }
}
