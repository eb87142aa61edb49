import { mayCall, type Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { readScope, scopeOf } from '@wharf/database/scope-conditions.ts'
import { findOutside } from '@wharf/database/scoped-reads.ts'
import { lockUser } from '../identity/accounts/service.ts'
import * as failures from './failures.ts'
import type { UploadRow } from './store.ts'

type Owned = Pick<UploadRow, 'userUuid' | 'permission' | 'packageUuid' | 'scope'>

/** The user who opened it, as the user is now; null when the user does not exist. */
interface UploadUser {
  readonly role: Role | null
  /** JSON. */
  readonly userScope: string | null
}

/** The URL of an upload grants what the user who opened it may do now, on hosts within the scopes of then and now. */
export async function requireRights(
  database: Database,
  upload: Owned,
  { role, userScope }: UploadUser,
  tx?: Tx,
): Promise<void> {
  if (role === null) throw failures.uploadEnded()
  if (!mayCall(role, { permission: upload.permission ?? 'operate' })) throw failures.missingRights(role)
  const scope = scopeOf(upload.userUuid, readScope(userScope ?? '[]'), readScope(upload.scope))
  if (scope && (await findOutside(database, scope, [upload.packageUuid], tx)).size > 0) throw failures.unknownUpload()
}

/** The same in the transaction of a change; the rights are locked until it ends. */
export async function lockRights(tx: Tx, database: Database, upload: Owned): Promise<void> {
  const { role = null, scope: userScope = null } = (await lockUser(tx, database.engine, upload.userUuid)) ?? {}
  await requireRights(database, upload, { role, userScope }, tx)
}
