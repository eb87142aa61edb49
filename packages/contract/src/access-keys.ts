import { deletionFields } from './deletion.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  optional,
  orNull,
  Sealed,
  SecretText,
  shownOnce,
  Text,
  Timestamp,
  Uuid,
} from './schema.ts'

const since = 'wharf-1.0.0'
const resource = 'identity'

/** Part of the wire protocol: an id or secret may not contain a colon, which separates them in a header. */
const keyWord = '^[!-9;-~]+$'

export const keyStates = ['Enabled', 'Disabled'] as const

export const AccessKeyInventory = inventory({
  name: 'AccessKeyInventory',
  since,
  events: ['AccessKey'],
  table: 'accessKeys',
  fields: {
    uuid: Uuid(),
    AccessKeyID: Text(20),
    AccessKeySecret: shownOnce(
      orNull(SecretText(40, { description: 'Returned once, by the operation that creates it' })),
    ),
    accountUuid: Uuid(),
    userUuid: Uuid(),
    state: Choice(keyStates),
    description: orNull(Description()),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  computed: ['AccessKeySecret'],
  private: { sealedSecret: Sealed() },
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
  errors: ['SYS.1002', 'SYS.1003', 'ID.1006'],
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
