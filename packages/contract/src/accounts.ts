import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Choice, Description, Name, optional, orNull, SecretText, Timestamp, Uuid } from './schema.ts'
import { deletionFields, password } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const resource = 'identity'

export const roles = ['admin', 'operator', 'reader'] as const
export type Role = (typeof roles)[number]

export const AccountInventory = inventory({
  name: 'AccountInventory',
  since,
  events: ['Account'],
  table: 'accounts',
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
})

export const createAccount = operation({
  name: 'CreateAccount',
  client: 'accounts.create',
  resource,
  method: 'POST',
  path: '/v1/accounts',
  structure: 'params',
  summary: 'Create an account with its built-in user',
  since,
  permission: 'administer',
  fields: {
    name: Name(),
    password: password('In clear, or its lower-case hex SHA-512'),
    role: optional(Choice(roles, { description: 'The role of the built-in user; defaults to operator' })),
    description: optional(Description()),
    resourceUuid: optional(Uuid()),
  },
  answer: { inventory: AccountInventory.schema },
  errors: ['SYS.1002'],
})

export const { query: queryAccount, get: getAccount } = queryOperations({
  resource,
  noun: 'Account',
  client: 'accounts',
  plural: 'accounts',
  path: '/v1/accounts',
  inventory: AccountInventory,
})

export const updateAccount = operation({
  name: 'UpdateAccount',
  client: 'accounts.update',
  resource,
  method: 'PUT',
  path: '/v1/accounts/{uuid}/actions',
  structure: 'updateAccount',
  summary: 'Change the password of an account; only an admin may omit the old one',
  since,
  permission: 'own',
  fields: {
    password: optional(password('The new password, in clear or as its lower-case hex SHA-512')),
    oldPassword: optional(password('The current password, in either form')),
  },
  answer: { inventory: AccountInventory.schema },
  errors: ['SYS.1003'],
})

export const deleteAccount = operation({
  name: 'DeleteAccount',
  client: 'accounts.delete',
  resource,
  method: 'DELETE',
  path: '/v1/accounts/{uuid}',
  summary: 'Delete an account with its users, sessions and access keys',
  since,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004'],
})

// Users

export const UserInventory = inventory({
  name: 'UserInventory',
  since,
  events: ['User'],
  table: 'users',
  fields: {
    uuid: Uuid(),
    accountUuid: Uuid(),
    name: Name(),
    role: Choice(roles),
    description: orNull(Description()),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: { passwordHash: SecretText(1024) },
})

export const createUser = operation({
  name: 'CreateUser',
  client: 'users.create',
  resource,
  method: 'POST',
  path: '/v1/users',
  structure: 'params',
  summary: 'Create a user in an account',
  since,
  permission: 'administer',
  fields: {
    accountUuid: optional(Uuid({ description: 'Defaults to the account of the caller' })),
    name: Name(),
    password: password('In clear, or its lower-case hex SHA-512'),
    role: optional(Choice(roles, { description: 'Defaults to reader' })),
    description: optional(Description()),
    resourceUuid: optional(Uuid()),
  },
  answer: { inventory: UserInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const { query: queryUser, get: getUser } = queryOperations({
  resource,
  noun: 'User',
  client: 'users',
  plural: 'users',
  path: '/v1/users',
  inventory: UserInventory,
})

export const updateUser = operation({
  name: 'UpdateUser',
  client: 'users.update',
  resource,
  method: 'PUT',
  path: '/v1/users/{uuid}/actions',
  structure: 'updateUser',
  summary: "Change a user's password or role",
  since,
  permission: 'administer',
  fields: {
    password: optional(password('The new password, in clear or as its lower-case hex SHA-512')),
    role: optional(Choice(roles)),
  },
  answer: { inventory: UserInventory.schema },
  errors: ['SYS.1003', 'SYS.1006'],
})

export const deleteUser = operation({
  name: 'DeleteUser',
  client: 'users.delete',
  resource,
  method: 'DELETE',
  path: '/v1/users/{uuid}',
  summary: 'Delete a user with its sessions and access keys',
  since,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004'],
})

// The caller

export const CallerIdentityInventory = inventory({
  name: 'CallerIdentityInventory',
  since: 'wharf-1.1.0',
  events: ['Account', 'User'],
  fields: {
    accountUuid: Uuid(),
    accountName: Name(),
    userUuid: Uuid(),
    userName: Name(),
    role: Choice(roles),
    credentialType: Choice(['AccessKey', 'Session'], {
      description: 'The kind of credential that authenticated the call',
    }),
  },
})

export const getCallerIdentity = operation({
  name: 'GetCallerIdentity',
  client: 'identity.caller',
  resource,
  method: 'GET',
  path: '/v1/caller-identity',
  summary: 'Get the account, user and role of the caller',
  since: 'wharf-1.1.0',
  permission: 'own',
  fields: {},
  answer: { inventory: CallerIdentityInventory.schema },
})

export const changeOwnPassword = operation({
  name: 'ChangeOwnPassword',
  client: 'identity.changePassword',
  resource,
  method: 'PUT',
  path: '/v1/caller-identity/actions',
  structure: 'changeOwnPassword',
  summary: 'Change the password of the caller, who proves the current one; the other sessions of the caller end',
  since: 'wharf-1.1.0',
  permission: 'own',
  fields: {
    oldPassword: password('The current password, in clear or as its lower-case hex SHA-512'),
    password: password('The new password, in either form'),
  },
  answer: { inventory: UserInventory.schema },
})
