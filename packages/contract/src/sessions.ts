import { inventory, operation } from './operation.ts'
import { Flag, Name, optional, SecretText, shownOnce, Timestamp, Uuid } from './schema.ts'
import { deletionFields, password } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const resource = 'identity'

export const SessionInventory = inventory({
  name: 'SessionInventory',
  since,
  events: ['Session'],
  table: 'sessions',
  scope: 'byRole',
  routine: ['hash', 'lastUseDate', 'expiredDate'],
  fields: {
    uuid: shownOnce(Uuid({ description: 'The session id: send it as `Authorization: OAuth <uuid>`' })),
    accountUuid: Uuid(),
    userUuid: Uuid(),
    expiredDate: Timestamp({
      description: 'When the session ends; a call extends it, up to a limit from its creation',
    }),
    createDate: Timestamp(),
  },
  computed: ['uuid'],
  private: {
    /** SHA-256 of the session id. */
    hash: SecretText(64),
    lastUseDate: Timestamp(),
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
    accountName: optional(Name({ description: 'The account of the user, by its name' })),
    accountUuid: optional(Uuid({ description: 'The account of the user, by its uuid' })),
    userName: Name({ description: 'The name of the user in the account' }),
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
  summary: 'Check whether a session is valid, without extending it',
  since,
  permission: 'public',
  fields: {},
  answer: { valid: Flag() },
})
