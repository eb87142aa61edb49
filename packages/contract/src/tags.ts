import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Name, optional, orNull, Text, Timestamp, Uuid } from './schema.ts'
import { deletionFields } from './shared-fields.ts'

const since = 'wharf-1.0.0'
const resource = 'tags'

/** Can contain the fields of one operation, secrets included; only a version written by the server is stored. */
export const configTagPatterns = ['uploadConfig', 'installConfig', 'initConfig'] as const

/** The system tags that Wharf interprets; each has the form `pattern::value`. */
export const systemTagPatterns = ['uploadUrl', 'uploadSoftwarePackage', ...configTagPatterns] as const

export const TagInventory = inventory({
  name: 'TagInventory',
  since,
  events: ['Tag'],
  table: 'tags',
  fields: {
    uuid: Uuid(),
    name: Name(),
    color: orNull(Text(32)),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
})

export const createTag = operation({
  name: 'CreateTag',
  client: 'tags.create',
  resource,
  method: 'POST',
  path: '/v1/tags',
  structure: 'params',
  summary: 'Create a tag, which other operations attach by tagUuids',
  since,
  permission: 'operate',
  fields: {
    name: Name(),
    color: optional(Text(32, { pattern: '^(#[0-9A-Fa-f]{6}|[a-z]+)$', description: 'A colour name or #rrggbb' })),
    resourceUuid: optional(Uuid()),
  },
  answer: { inventory: TagInventory.schema },
  errors: ['SYS.1002'],
})

export const { query: queryTag, get: getTag } = queryOperations({
  resource,
  noun: 'Tag',
  client: 'tags',
  plural: 'tags',
  path: '/v1/tags',
  inventory: TagInventory,
})

export const deleteTag = operation({
  name: 'DeleteTag',
  client: 'tags.delete',
  resource,
  method: 'DELETE',
  path: '/v1/tags/{uuid}',
  summary: 'Delete a tag and detach it from every resource',
  since,
  permission: 'operate',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003'],
})

const attached = {
  uuid: Uuid(),
  resourceUuid: Uuid(),
  resourceType: Name(),
  tag: Text(160_000),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
}

export const SystemTagInventory = inventory({
  name: 'SystemTagInventory',
  since,
  events: ['Tag'],
  table: 'systemTags',
  fields: attached,
})
export const UserTagInventory = inventory({
  name: 'UserTagInventory',
  since,
  events: ['Tag'],
  table: 'userTags',
  fields: {
    ...attached,
    tagUuid: orNull(Uuid({ description: 'The tag that it was attached from, with tagUuids' })),
  },
})

export const { query: querySystemTag, get: getSystemTag } = queryOperations({
  resource,
  noun: 'SystemTag',
  client: 'systemTags',
  plural: 'system tags',
  path: '/v1/system-tags',
  inventory: SystemTagInventory,
})

export const { query: queryUserTag, get: getUserTag } = queryOperations({
  resource,
  noun: 'UserTag',
  client: 'userTags',
  plural: 'user tags',
  path: '/v1/user-tags',
  inventory: UserTagInventory,
})
