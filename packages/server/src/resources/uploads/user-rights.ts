import { mayCall, type Role } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { lockUser } from '../identity/accounts/service.ts'
import * as failures from './failures.ts'
import type { UploadRow } from './store.ts'

type Owned = Pick<UploadRow, 'userUuid' | 'permission'>

/** The URL of an upload grants what the user who opened it may do now. */
export function requireRights(upload: Owned, role: Role | null | undefined): void {
  if (role === null || role === undefined) throw failures.uploadEnded()
  if (!mayCall(role, { permission: upload.permission ?? 'operate' })) throw failures.missingRights(role)
}

/** The same in the transaction of a change; the rights are locked until it ends. */
export async function lockRights(tx: Tx, { engine }: Pick<Database, 'engine'>, upload: Owned): Promise<void> {
  requireRights(upload, (await lockUser(tx, engine, upload.userUuid))?.role)
}
