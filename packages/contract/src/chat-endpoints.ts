import { alertSeverities } from './alert-severities.ts'
import { resourceStates, stateEvents } from './hosts.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  Flag,
  Integer,
  List,
  Long,
  Name,
  notQueried,
  optional,
  orNull,
  Sealed,
  SecretText,
  Text,
  Timestamp,
  Uuid,
  Verbatim,
} from './schema.ts'
import { clearable, creationFields, deletionFields } from './shared-fields.ts'
import { systemEventNames } from './system-events.ts'

const since = '4.2.0'
const ours = 'wharf-1.0.0'
const added = 'wharf-1.1.0'
const resource = 'chat-endpoints'
const path = '/v1/sns/application-endpoints/chatapp'

export const chatKinds = ['DingTalk', 'WeCom', 'FeiShu', 'Slack', 'Teams'] as const
export type ChatKind = (typeof chatKinds)[number]

export const chatLanguages = ['en', 'zh'] as const

const platforms = () =>
  List(Uuid(), { description: 'The alert platforms whose alerts it receives; an empty list means all' })

const ownEvents = () =>
  List(Choice(systemEventNames), { since: added, description: 'The events of Wharf itself that it receives' })

const ownEventTemplate = (description: string) => Verbatim(8192, { since: added, description })

export const ChatAppEndpointInventory = inventory({
  name: 'ChatAppEndpointInventory',
  since: ours,
  events: ['ChatAppEndpoint'],
  table: 'chatEndpoints',
  scope: 'byRole',
  routine: ['owner', 'leaseUntil'],
  fields: {
    uuid: Uuid(),
    name: Name(),
    description: orNull(Description()),
    type: Choice(chatKinds, { description: 'The chat application' }),
    url: notQueried(Text(2048, { description: 'The host of the webhook; the rest of the URL is a secret' })),
    atAll: Flag({ description: 'Mention everyone instead of the registered persons' }),
    language: Choice(chatLanguages, { description: 'The language of the texts that Wharf adds to a message' }),
    platformUuids: platforms(),
    ownEvents: ownEvents(),
    ownEventTemplate: orNull(
      ownEventTemplate('The Liquid template of messages about Wharf itself; null for the default in its language'),
    ),
    state: Choice(resourceStates, { description: 'A disabled endpoint gets no new messages' }),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    sealedUrl: Sealed(),
    sealedSecret: orNull(Sealed()),
    /** The node that delivers to it, and until when. */
    owner: orNull(Name()),
    leaseUntil: Timestamp(),
  },
})

const endpointFields = {
  name: Name(),
  url: SecretText(2048, { minLength: 1, description: 'The webhook URL from the chat application' }),
  secret: optional(SecretText(255, { description: 'The signing secret of DingTalk and FeiShu' })),
  atAll: optional(Flag({ description: 'Mention everyone' })),
  language: optional(Choice(chatLanguages, { description: 'Defaults to en' })),
  description: optional(Description()),
  platformUuids: optional(platforms()),
  ownEvents: optional(ownEvents()),
  ownEventTemplate: optional(
    ownEventTemplate('The Liquid template of messages about Wharf itself; defaults to one in its language'),
  ),
}

export const createChatAppEndpoint = operation({
  name: 'CreateChatAppEndpoint',
  client: 'chatEndpoints.create',
  resource,
  method: 'POST',
  path,
  structure: 'params',
  summary: 'Create a chat endpoint: a group chat that receives alerts and events of Wharf itself',
  since: ours,
  permission: 'administer',
  fields: { type: Choice(chatKinds, { description: 'The chat application' }), ...endpointFields, ...creationFields },
  answer: { inventory: ChatAppEndpointInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const { query: queryChatAppEndpoint, get: getChatAppEndpoint } = queryOperations({
  resource,
  noun: 'ChatAppEndpoint',
  client: 'chatEndpoints',
  plural: 'chat endpoints',
  path,
  inventory: ChatAppEndpointInventory,
})

export const updateChatAppEndpoint = operation({
  name: 'UpdateChatAppEndpoint',
  client: 'chatEndpoints.update',
  resource,
  method: 'PUT',
  path: `${path}/{uuid}/actions`,
  structure: 'updateChatAppEndpoint',
  summary: 'Change a chat endpoint; a disabled one receives nothing',
  since: ours,
  permission: 'administer',
  fields: {
    ...endpointFields,
    name: optional(Text(255, { minLength: 1 })),
    url: optional(endpointFields.url),
    stateEvent: optional(Choice(stateEvents)),
    ...clearable('secret', 'description', 'ownEventTemplate'),
  },
  answer: { inventory: ChatAppEndpointInventory.schema },
  errors: ['SYS.1003'],
})

export const testChatAppEndpoint = operation({
  name: 'TestChatAppEndpoint',
  client: 'chatEndpoints.test',
  resource,
  method: 'POST',
  path: `${path}/{uuid}/test`,
  structure: 'params',
  summary: 'Send a test message, with the mentions that an alert would have',
  since: ours,
  permission: 'administer',
  mode: 'job',
  timeoutSeconds: 60,
  fields: {
    ownEvent: optional(
      Choice(systemEventNames, {
        since: added,
        description: 'Send an example of this event, as its template renders it, and store it as a delivery',
      }),
    ),
  },
  answer: {},
  errors: ['SYS.1003', 'SYS.1005', 'SNS.1001'],
})

export const deleteChatAppEndpoint = operation({
  name: 'DeleteChatAppEndpoint',
  client: 'chatEndpoints.delete',
  resource,
  method: 'DELETE',
  path: `${path}/{uuid}`,
  summary: 'Delete a chat endpoint with its persons and deliveries',
  since: ours,
  permission: 'administer',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003'],
})

export const SNSChatAppAtPersonInventory = inventory({
  name: 'SNSChatAppAtPersonInventory',
  since,
  events: ['ChatAppAtPerson'],
  table: 'atPersons',
  scope: 'byRole',
  fields: {
    uuid: Uuid(),
    userId: Text(64, { description: 'The id of the person in the chat application' }),
    endpointUuid: Uuid({ description: 'The chat endpoint that mentions the person' }),
    remark: orNull(Text(128)),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
})

const tags = (more: { since?: string } = {}) => List(Uuid(), { description: 'Tags to attach to it', ...more })

export const addSNSChatAppAtPerson = operation({
  name: 'AddSNSChatAppAtPerson',
  client: 'atPersons.add',
  resource,
  method: 'POST',
  path: `${path}/at-persons`,
  structure: 'params',
  summary: 'Add a person that a chat endpoint mentions',
  since,
  permission: 'operate',
  fields: {
    userId: Text(64, { description: 'The id of the person in the chat application; unique per endpoint' }),
    endpointUuid: Uuid(),
    resourceUuid: optional(Uuid({ description: 'The uuid of the new record; generated by default' })),
    tagUuid: optional(tags()),
    // the name in other operations; both may be sent
    tagUuids: optional(tags({ since: ours })),
    remark: optional(Text(128)),
  },
  answer: { inventory: SNSChatAppAtPersonInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const { query: queryAtPerson, get: getAtPerson } = queryOperations({
  resource,
  noun: 'AtPerson',
  client: 'atPersons',
  plural: 'persons to mention',
  path: `${path}/at-persons`,
  inventory: SNSChatAppAtPersonInventory,
  since: ours,
})

export const updateAtPerson = operation({
  name: 'UpdateAtPerson',
  client: 'atPersons.update',
  resource,
  method: 'PUT',
  path: `${path}/at-persons/{uuid}/actions`,
  structure: 'updateAtPerson',
  summary: 'Change the user id or the remark of a person to mention',
  since: ours,
  permission: 'operate',
  fields: { userId: optional(Text(64, { minLength: 1 })), remark: optional(Text(128)), ...clearable('remark') },
  answer: { inventory: SNSChatAppAtPersonInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const deleteAtPerson = operation({
  name: 'DeleteAtPerson',
  client: 'atPersons.delete',
  resource,
  method: 'DELETE',
  path: `${path}/at-persons/{uuid}`,
  summary: 'Remove a person that a chat endpoint mentions',
  since: ours,
  permission: 'operate',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003'],
})

/** The longest rendered text, and a line with the time of a late message. */
const maxTextLength = 16 * 1024 + 256

export const deliveryStatuses = ['Waiting', 'Delivered', 'Failed'] as const

export const DeliveryInventory = inventory({
  name: 'DeliveryInventory',
  since: ours,
  events: ['Delivery'],
  table: 'deliveries',
  scope: { likeAny: 'resourceUuid', type: 'resourceType', or: { like: 'alertUuid', of: 'thirdPartyAlerts' } },
  fields: {
    uuid: Uuid(),
    endpointUuid: Uuid(),
    alertUuid: orNull(
      Uuid({ description: 'The alert; null once it was deleted, and for a message about Wharf itself' }),
    ),
    ownEvent: orNull(
      Choice(systemEventNames, { since: added, description: 'The event of Wharf itself; null for an alert' }),
    ),
    resourceType: orNull(
      Name({
        since: added,
        description: 'The type of the record that the event is about; null for an alert or a test',
      }),
    ),
    resourceUuid: orNull(
      Uuid({ since: added, description: 'The record that the event is about; null for an alert or a test' }),
    ),
    title: Text(255),
    text: Text(maxTextLength),
    status: Choice(deliveryStatuses, { description: 'Failed is final: only resendDelivery tries again' }),
    attempts: Integer(0, 1_000_000),
    reason: orNull(Text(1024, { description: 'Why the last attempt failed' })),
    nextAttemptDate: orNull(Timestamp()),
    deliveredDate: orNull(Timestamp()),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  private: {
    severity: Choice(alertSeverities),
    /** Of a message about Wharf itself that is not rendered yet: the event, as JSON. */
    ownEventData: orNull(Text(16_384)),
    /** Of a message that takes several requests, those that were delivered. */
    partsDelivered: Long(),
    /** Of a message that was delivered in part, who is mentioned in the rest. */
    audience: orNull(Text(16_384)),
    /** The message is Failed when it is not delivered by then. */
    giveUpDate: Timestamp(),
    /** The order at its endpoint; a message that is sent again is last. */
    sequence: Long(),
  },
})

export const { query: queryDelivery, get: getDelivery } = queryOperations({
  resource,
  noun: 'Delivery',
  client: 'deliveries',
  plural: 'deliveries',
  path: '/v1/sns/deliveries',
  inventory: DeliveryInventory,
})

export const resendDelivery = operation({
  name: 'ResendDelivery',
  client: 'deliveries.resend',
  resource,
  method: 'PUT',
  path: '/v1/sns/deliveries/{uuid}/actions',
  structure: 'resendDelivery',
  summary: 'Retry a failed delivery',
  since: ours,
  permission: 'operate',
  fields: {},
  answer: { inventory: DeliveryInventory.schema },
  errors: ['SYS.1003', 'SYS.1005'],
})
