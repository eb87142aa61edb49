import { deletionFields } from './deletion.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  Flag,
  Name,
  optional,
  orNull,
  SecretText,
  shownOnce,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'

const since = 'wharf-1.0.0'
const resource = 'identity'

export const roles = ['admin', 'operator', 'reader'] as const
export type Role = (typeof roles)[number]

const password = (description: string) => SecretText(1024, { minLength: 1, description })

// Sessions

export const SessionInventory = inventory('SessionInventory', since, {
  uuid: shownOnce(Uuid({ description: 'The session id: send it as `Authorization: OAuth <uuid>`' })),
  accountUuid: Uuid(),
  userUuid: Uuid(),
  expiredDate: Timestamp(),
  createDate: Timestamp(),
})

export const logInByAccount = operation({
  name: 'LogInByAccount',
  client: 'sessions.logInByAccount',
  resource,
  method: 'PUT',
  path: '/v1/accounts/login',
  structure: 'logInByAccount',
  summary: 'Start a session as an account',
  since,
  permission: 'public',
  repeatable: false,
  fields: { accountName: Name(), password: password('In clear, or its lower-case hex SHA-512') },
  answer: { inventory: SessionInventory.schema },
})

export const logInByUser = operation({
  name: 'LogInByUser',
  client: 'sessions.logInByUser',
  resource,
  method: 'PUT',
  path: '/v1/accounts/users/login',
  structure: 'logInByUser',
  summary: 'Start a session as a user of an account',
  since,
  permission: 'public',
  repeatable: false,
  fields: {
    accountName: optional(Name()),
    accountUuid: optional(Uuid()),
    userName: Name(),
    password: password('In clear, or its lower-case hex SHA-512'),
  },
  answer: { inventory: SessionInventory.schema },
})

export const logOut = operation({
  name: 'LogOut',
  client: 'sessions.logOut',
  resource,
  method: 'DELETE',
  path: '/v1/accounts/sessions/{uuid}',
  summary: 'End a session; the session id is the credential',
  since,
  permission: 'public',
  repeatable: false,
  fields: deletionFields,
  answer: {},
})

export const validateSession = operation({
  name: 'ValidateSession',
  client: 'sessions.validate',
  resource,
  method: 'GET',
  path: '/v1/accounts/sessions/{uuid}/valid',
  summary: 'Tell whether a session still holds, without extending it',
  since,
  permission: 'public',
  fields: {},
  answer: { valid: Flag() },
})

// Accounts

export const AccountInventory = inventory('AccountInventory', since, {
  uuid: Uuid(),
  name: Name(),
  description: orNull(Description()),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
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
    role: optional(Choice(roles, { description: 'Of the built-in user; operator when absent' })),
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
  summary: "Change an account's password; others than an admin give the old one",
  since,
  permission: 'own',
  fields: { password: optional(password('The new password')), oldPassword: optional(password('The present password')) },
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

export const UserInventory = inventory('UserInventory', since, {
  uuid: Uuid(),
  accountUuid: Uuid(),
  name: Name(),
  role: Choice(roles),
  description: orNull(Description()),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
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
    accountUuid: optional(Uuid({ description: "The caller's account when absent" })),
    name: Name(),
    password: password('In clear, or its lower-case hex SHA-512'),
    role: optional(Choice(roles, { description: 'reader when absent' })),
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
  fields: { password: optional(password('The new password')), role: optional(Choice(roles)) },
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

// Access keys

/** Words of the wire protocol: an id or secret may not hold the colon that parts them in a header. */
const keyWord = '^[!-9;-~]+$'

export const keyStates = ['Enabled', 'Disabled'] as const

export const AccessKeyInventory = inventory('AccessKeyInventory', since, {
  uuid: Uuid(),
  AccessKeyID: Text(20),
  AccessKeySecret: shownOnce(
    orNull(SecretText(40, { description: 'Shown once, in the answer of the operation that made it' })),
  ),
  accountUuid: Uuid(),
  userUuid: Uuid(),
  state: Choice(keyStates),
  description: orNull(Description()),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
})

export const createAccessKey = operation({
  name: 'CreateAccessKey',
  client: 'accessKeys.create',
  resource,
  method: 'POST',
  path: '/v1/accesskeys',
  structure: 'params',
  summary: 'Create an access key for a user',
  since,
  permission: 'own',
  fields: {
    accountUuid: Uuid(),
    userUuid: Uuid(),
    description: optional(Description()),
    AccessKeyID: optional(Text(20, { minLength: 10, pattern: keyWord, description: 'Made up when absent' })),
    AccessKeySecret: optional(SecretText(40, { minLength: 10, pattern: keyWord, description: 'Made up when absent' })),
    resourceUuid: optional(Uuid()),
  },
  answer: { inventory: AccessKeyInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const { query: queryAccessKey, get: getAccessKey } = queryOperations({
  resource,
  noun: 'AccessKey',
  client: 'accessKeys',
  plural: 'access keys',
  path: '/v1/accesskeys',
  inventory: AccessKeyInventory,
  permission: 'own',
})

export const changeAccessKeyState = operation({
  name: 'ChangeAccessKeyState',
  client: 'accessKeys.changeState',
  resource,
  method: 'PUT',
  path: '/v1/accesskeys/{uuid}/actions',
  structure: 'changeAccessKeyState',
  summary: 'Enable or disable an access key',
  since,
  permission: 'own',
  fields: { stateEvent: Choice(['enable', 'disable']) },
  answer: { inventory: AccessKeyInventory.schema },
  errors: ['SYS.1003'],
})

export const deleteAccessKey = operation({
  name: 'DeleteAccessKey',
  client: 'accessKeys.delete',
  resource,
  method: 'DELETE',
  path: '/v1/accesskeys/{uuid}',
  summary: 'Delete an access key',
  since,
  permission: 'own',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003'],
})
