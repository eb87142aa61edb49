import {
  changeOwnPassword,
  createAccount,
  createUser,
  deleteAccount,
  deleteUser,
  getAccount,
  getCallerIdentity,
  getUser,
  queryAccount,
  queryUser,
  updateAccount,
  updateUser,
} from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import { invalid } from '@wharf/platform/api-error.ts'
import { type Binding, handle } from '../../../calls/bind.ts'
import { type Queries, queryBindings } from '../../../calls/query-bindings.ts'
import { refuseWeakPassword } from '../password-rules.ts'
import type { Passwords } from '../passwords.ts'
import type { AccountDeletions } from './account-deletions.ts'
import { readCallerIdentity } from './caller-identity.ts'
import { clientOf } from './hash-client.ts'
import type { PasswordChanges } from './password-changes.ts'
import { type AccountService, userInventory } from './service.ts'
import { adminLock } from './user-changes.ts'

interface AccountOperationDeps {
  readonly database: Database
  readonly queries: Queries
  readonly accounts: AccountService
  readonly passwords: Passwords
  readonly passwordChanges: PasswordChanges
  readonly deletions: AccountDeletions
}

export function accountOperations(deps: AccountOperationDeps): Binding[] {
  const { database, queries, accounts, passwords, passwordChanges, deletions } = deps
  return [
    handle(createAccount, async ({ caller, fields: { password, ...account }, commit, disconnectSignal }) => {
      refuseWeakPassword('params.password', password)
      const passwordHash = await passwords.hash(password, clientOf({ caller, disconnectSignal }))
      return commit(async (tx) => ({
        inventory: await accounts.createAccount(tx, { ...account, passwordHash }, caller),
      }))
    }),
    handle(
      updateAccount,
      async ({ caller, path, fields, source, commit, disconnectSignal }) => {
        const { password, oldPassword } = fields
        if (password === undefined) throw invalid('updateAccount.password is required')
        refuseWeakPassword('updateAccount.password', password)
        const client = clientOf({ caller, disconnectSignal })
        const before = await passwordChanges.checkOfAccount(caller, path.uuid, oldPassword, { source, client })
        const passwordHash = await passwords.hash(password, client)
        return commit(async (tx) => ({
          inventory: await passwordChanges.setOfAccount(tx, caller, path.uuid, passwordHash, { before }),
        }))
      },
      { authorise: (caller, { uuid = '' }) => accounts.refuseOthers(caller, uuid), lock: adminLock },
    ),
    handle(
      deleteAccount,
      ({ caller, path, commit }) =>
        commit(async (tx) => {
          await deletions.deleteAccount(tx, caller, path.uuid)
          return {}
        }),
      { lock: adminLock },
    ),
    ...queryBindings(queries, queryAccount, getAccount),

    handle(createUser, async ({ caller, fields: { password, accountUuid, ...user }, commit, disconnectSignal }) => {
      refuseWeakPassword('params.password', password)
      const passwordHash = await passwords.hash(password, clientOf({ caller, disconnectSignal }))
      return commit(async (tx) => {
        const created = { ...user, passwordHash }
        const row = await accounts.createUser(tx, accountUuid ?? caller.accountUuid, created, caller)
        return { inventory: userInventory(row) }
      })
    }),
    handle(
      updateUser,
      async ({ caller, path, fields: { password, role, scope }, commit, disconnectSignal }) => {
        if (password === undefined && role === undefined && scope === undefined)
          throw invalid('updateUser needs a password, a role or a scope')
        if (password !== undefined) refuseWeakPassword('updateUser.password', password)
        const change = {
          ...(password === undefined
            ? {}
            : { passwordHash: await passwords.hash(password, clientOf({ caller, disconnectSignal })) }),
          ...(role === undefined ? {} : { role }),
          ...(scope === undefined ? {} : { scope }),
        }
        return commit(async (tx) => ({
          inventory: userInventory(await accounts.updateUser(tx, caller, path.uuid, change)),
        }))
      },
      { lock: adminLock },
    ),
    handle(
      deleteUser,
      ({ caller, path, commit }) =>
        commit(async (tx) => {
          await deletions.deleteUser(tx, caller, path.uuid)
          return {}
        }),
      { lock: adminLock },
    ),
    ...queryBindings(queries, queryUser, getUser),

    handle(
      changeOwnPassword,
      async ({ caller, fields, source, commit, disconnectSignal }) => {
        refuseWeakPassword('changeOwnPassword.password', fields.password)
        const client = clientOf({ caller, disconnectSignal })
        const before = await passwordChanges.checkOwn(caller, fields.oldPassword, { source, client })
        const passwordHash = await passwords.hash(fields.password, client)
        return commit(async (tx) => ({
          inventory: userInventory(await passwordChanges.setOwn(tx, caller, passwordHash, before)),
        }))
      },
      { lock: adminLock },
    ),
    handle(getCallerIdentity, async ({ caller }) => ({ inventory: await readCallerIdentity(database, caller) })),
  ]
}
