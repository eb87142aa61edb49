import {
  endSession,
  endSessions,
  logInByAccount,
  logInByUser,
  logOut,
  querySession,
  SessionRecordInventory,
  validateSession,
} from '@wharf/contract'
import { collection } from '@wharf/database/query.ts'
import { type Binding, handle } from '../../../calls/bind.ts'
import { type Queries, queryBinding } from '../../../calls/query-bindings.ts'
import { adminLock } from '../accounts/user-changes.ts'
import type { SessionService } from './service.ts'
import { uuidColumn } from './store.ts'

const records = collection(SessionRecordInventory, { columns: { uuid: uuidColumn, lastUsedDate: '"lastUseDate"' } })

export function sessionOperations({ queries, sessions }: { queries: Queries; sessions: SessionService }): Binding[] {
  return [
    handle(
      logInByAccount,
      async ({ fields: { accountName, password, secondFactor }, source, userAgent, address, disconnectSignal }) => ({
        inventory: await sessions.logIn({
          account: { name: accountName },
          password,
          secondFactor,
          structure: 'logInByAccount',
          source,
          userAgent,
          address,
          disconnectSignal,
        }),
      }),
    ),
    handle(
      logInByUser,
      async ({
        fields: { accountName, accountUuid, userName, ...proofs },
        source,
        userAgent,
        address,
        disconnectSignal,
      }) => ({
        inventory: await sessions.logIn({
          account: {
            ...(accountName === undefined ? {} : { name: accountName }),
            ...(accountUuid === undefined ? {} : { uuid: accountUuid }),
          },
          userName,
          ...proofs,
          structure: 'logInByUser',
          source,
          userAgent,
          address,
          disconnectSignal,
        }),
      }),
    ),
    handle(logOut, async ({ path }) => {
      await sessions.logOut(path.uuid)
      return {}
    }),
    handle(validateSession, async ({ path }) => ({ valid: await sessions.isValid(path.uuid) })),
    queryBinding(queries, querySession, { records, ownUser: true }),
    handle(
      endSession,
      ({ caller, path, commit }) =>
        commit(async (tx) => {
          await sessions.endByUuid(tx, caller, path.uuid)
          return {}
        }),
      { lock: adminLock },
    ),
    handle(
      endSessions,
      ({ caller, path, fields, commit }) =>
        commit(async (tx) => ({ endedCount: await sessions.endAll(tx, caller, path.uuid, fields) })),
      { lock: adminLock },
    ),
  ]
}
