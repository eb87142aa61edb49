import { inventory, operation } from './operation.ts'
import { List, optional, orNull, Text, Timestamp, Uuid } from './schema.ts'

const since = '4.2.0'
const resource = 'chat-endpoints'

export const SNSChatAppAtPersonInventory = inventory('SNSChatAppAtPersonInventory', since, {
  uuid: Uuid(),
  userId: Text(64, { description: 'As the chat application knows the person' }),
  endpointUuid: Uuid({ description: 'The chat endpoint that mentions the person' }),
  remark: orNull(Text(128)),
  createDate: Timestamp(),
  lastOpDate: Timestamp(),
})

const tags = (more: { since?: string } = {}) => List(Uuid(), { description: 'Tags to attach to it', ...more })

export const addSNSChatAppAtPerson = operation({
  name: 'AddSNSChatAppAtPerson',
  resource,
  method: 'POST',
  path: '/v1/sns/application-endpoints/chatapp/at-persons',
  structure: 'params',
  summary: 'Let a chat endpoint mention a person',
  since,
  permission: 'operate',
  fields: {
    userId: Text(64, { description: 'As the chat application knows the person; once per endpoint' }),
    endpointUuid: Uuid(),
    resourceUuid: optional(Uuid({ description: 'The uuid of the new record; made up when absent' })),
    tagUuid: optional(tags()),
    // the other creates call it so; both may be sent
    tagUuids: optional(tags({ since: 'wharf-1.0.0' })),
    remark: optional(Text(128)),
  },
  answer: { inventory: SNSChatAppAtPersonInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})
