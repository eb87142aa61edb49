import {
  AccessKeyInventory,
  changeAccessKeyState,
  createAccessKey,
  deleteAccessKey,
  getAccessKey,
  queryAccessKey,
  rotateAccessKey,
} from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { type Binding, handle } from '../../../calls/bind.ts'
import { type Queries, queryBindings } from '../../../calls/query-bindings.ts'
import { adminLock } from '../accounts/user-changes.ts'
import type { AccessKeyService } from './service.ts'

const records = collection(AccessKeyInventory, { columns: { role: '"maxRole"' } })

export function accessKeyOperations({ queries, keys }: { queries: Queries; keys: AccessKeyService }): Binding[] {
  return [
    handle(createAccessKey, ({ caller, fields, commit }) =>
      commit(async (tx) => ({ inventory: await keys.create(tx, caller, fields) })),
    ),
    handle(
      changeAccessKeyState,
      ({ caller, path, fields, commit }) =>
        commit(async (tx) => ({ inventory: await keys.changeState(tx, caller, path.uuid, fields.stateEvent) })),
      { lock: adminLock },
    ),
    handle(
      rotateAccessKey,
      ({ caller, path, fields, commit }) =>
        commit(async (tx) => ({ inventory: await keys.rotate(tx, caller, path.uuid, fields) })),
      { lock: adminLock },
    ),
    handle(
      deleteAccessKey,
      ({ caller, path, commit }) =>
        commit(async (tx) => {
          await keys.delete(tx, caller, path.uuid)
          return {}
        }),
      { lock: adminLock },
    ),
    ...queryBindings(queries, queryAccessKey, getAccessKey, { records, ownUser: true }),
  ]
}
