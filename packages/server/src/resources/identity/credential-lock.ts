import type { Role } from '@wharf/contract'
import type { Engine, Tx } from '@wharf/database/database.ts'
import { CompiledQuery } from 'kysely'
import type { Caller } from '../../calls/caller.ts'
import { userLock, userLockGranted } from './user-lock.ts'

interface LockedCredential {
  readonly role: Role
  /** As stored; infinite for a key. */
  readonly expiredDate: number
}

const ofKey = `select "role", "userUuid", "sealedSecret" from "accessKeys"
join "users" on "users"."uuid" = "userUuid" where "state" = 'Enabled' and "AccessKeyID" = `
const ofSession = `select "role", "expiredDate" from "sessions"
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
  engine: Engine,
  { credential, userUuid }: Caller,
): Promise<LockedCredential | undefined> {
  if (credential.kind === 'none') return undefined
  const lockName = engine === 'postgres' ? [userLock(userUuid)] : []
  if (credential.kind === 'session') {
    const query = CompiledQuery.raw(statements[engine].session, [credential.hash, ...lockName])
    return (await tx.executeQuery<LockedCredential>(query)).rows[0]
  }
  const query = CompiledQuery.raw(statements[engine].key, [credential.id, ...lockName])
  const [row] = (await tx.executeQuery<{ role: Role; userUuid: string; sealedSecret: Uint8Array }>(query)).rows
  if (row?.userUuid !== userUuid || encodeSeal(row.sealedSecret) !== credential.sealedSecret) return undefined
  return { role: row.role, expiredDate: Number.POSITIVE_INFINITY }
}

export const encodeSeal = (sealed: Uint8Array): string => Buffer.from(sealed).toString('base64')
