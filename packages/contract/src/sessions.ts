import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Flag,
  Integer,
  Name,
  optional,
  orNull,
  SecretText,
  shownOnce,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'
import { secondFactorText } from './second-factors.ts'
import { deletionFields, password } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const added = 'wharf-1.1.0'
const resource = 'identity'
const proof =
  'For a user who must prove a second factor (ID.1007): a code of the authenticator app, a recovery code, or the assertion of a passkey as JSON'

/** How the user proved who they are. */
export const sessionKinds = ['Password', 'OIDC'] as const
export type SessionKind = (typeof sessionKinds)[number]

export const SessionInventory = inventory({
  name: 'SessionInventory',
  since,
  events: ['Session'],
  fields: {
    uuid: shownOnce(Uuid({ description: 'The session id: send it as `Authorization: OAuth <uuid>`' })),
    accountUuid: Uuid(),
    userUuid: Uuid(),
    expiredDate: Timestamp({
      description: 'When the session ends; a call extends it, up to a limit from its creation',
    }),
    createDate: Timestamp(),
  },
})

/** A session as its user and admins see it. Its uuid identifies it and is not a credential. */
export const SessionRecordInventory = inventory({
  name: 'SessionRecordInventory',
  since: added,
  events: ['Session'],
  table: 'sessions',
  scope: 'byRole',
  routine: ['hash', 'lastUseDate', 'expiredDate', 'limitDate'],
  fields: {
    uuid: Uuid({ description: 'Identifies the session; it is not the session id, which only its client knows' }),
    accountUuid: Uuid(),
    userUuid: Uuid(),
    kind: Choice(sessionKinds, { description: 'How the user signed in' }),
    client: orNull(Text(256, { description: 'The User-Agent of the client that signed in' })),
    address: orNull(Text(64, { description: 'The address that the client signed in from' })),
    createDate: Timestamp(),
    lastUsedDate: Timestamp({ description: 'Its last call, to the minute' }),
    expiredDate: Timestamp({
      description: 'When it ends unless it is used; removed from the list within ten minutes after that',
    }),
  },
  computed: ['uuid', 'lastUsedDate'],
  private: {
    /** SHA-256 of the session id. The record's uuid is its beginning. */
    hash: SecretText(64),
    lastUseDate: Timestamp(),
    /** It ends then, however it is used; null for the limit of all sessions. */
    limitDate: orNull(Timestamp()),
  },
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
  fields: {
    accountName: Name(),
    password: password('In clear, or its lower-case hex SHA-512'),
    secondFactor: optional(secondFactorText(proof)),
  },
  answer: { inventory: SessionInventory.schema },
  errors: ['ID.1007'],
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
    accountName: optional(Name({ description: 'The account of the user, by its name' })),
    accountUuid: optional(Uuid({ description: 'The account of the user, by its uuid' })),
    userName: Name({ description: 'The name of the user in the account' }),
    password: password('In clear, or its lower-case hex SHA-512'),
    secondFactor: optional(secondFactorText(proof)),
  },
  answer: { inventory: SessionInventory.schema },
  errors: ['ID.1007'],
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
  summary: 'Check whether a session is valid, without extending it',
  since,
  permission: 'public',
  fields: {},
  answer: { valid: Flag() },
})

export const { query: querySession } = queryOperations({
  resource,
  noun: 'Session',
  client: 'sessions',
  plural: 'sessions',
  path: '/v1/accounts/sessions',
  inventory: SessionRecordInventory,
  permission: 'own',
})

export const endSession = operation({
  name: 'EndSession',
  client: 'sessions.end',
  resource,
  method: 'PUT',
  path: '/v1/accounts/sessions/{uuid}/actions',
  structure: 'endSession',
  summary: 'End a session by the uuid of its record; its open streams are closed',
  since: added,
  permission: 'own',
  fields: {},
  answer: {},
  errors: ['SYS.1003'],
})

export const endSessions = operation({
  name: 'EndSessions',
  client: 'users.endSessions',
  resource,
  method: 'PUT',
  path: '/v1/users/{uuid}/actions',
  structure: 'endSessions',
  summary: 'End all sessions of a user; its access keys stay valid',
  since: added,
  permission: 'own',
  fields: {
    keepCurrent: optional(Flag({ description: 'Do not end the session that makes this call; defaults to false' })),
  },
  answer: {
    endedCount: Integer(0, Number.MAX_SAFE_INTEGER, { description: 'The number of sessions that were ended' }),
  },
  errors: ['SYS.1003'],
})
