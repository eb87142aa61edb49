import { changeAccessKeyState, createAccessKey, deleteAccessKey, getAccessKey, queryAccessKey } from '@wharf/contract'
import { type Binding, handle } from '../../../calls/bind.ts'
import { type Queries, queryBindings } from '../../../calls/query-bindings.ts'
import { adminLock } from '../accounts/service.ts'
import type { AccessKeyService } from './service.ts'

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
      deleteAccessKey,
      ({ caller, path, commit }) =>
        commit(async (tx) => {
          await keys.delete(tx, caller, path.uuid)
          return {}
        }),
      { lock: adminLock },
    ),
    ...queryBindings(queries, queryAccessKey, getAccessKey, { ownUser: true }),
  ]
}
