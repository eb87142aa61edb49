import { stateEvents } from './hosts.ts'
import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import {
  Choice,
  Description,
  Flag,
  Long,
  Name,
  optional,
  orNull,
  shownOnce,
  Text,
  TextMap,
  Timestamp,
  Uuid,
  Verbatim,
} from './schema.ts'
import { clearable, creationFields, deletionFields } from './shared-fields.ts'
import { Type } from './type.ts'

const since = '3.10'
const ours = 'wharf-1.0.0'
const added = 'wharf-1.1.0'
const resource = 'alerts'

const template = (more: { minLength?: number } = {}) =>
  Verbatim(8192, { description: 'The Liquid template that turns an alert into a message', ...more })

export const ThirdPartyPlatformInventory = inventory({
  name: 'ThirdPartyPlatformInventory',
  since,
  events: ['ThirdPartyPlatform'],
  table: 'thirdPartyPlatforms',
  scope: { likeIn: 'clusterPluginAlertPlatforms', by: 'thirdPartyPlatformUuid' },
  routine: ['lastSyncDate'],
  fields: {
    uuid: Uuid(),
    name: Name(),
    type: Name({ description: 'The alert protocol' }),
    url: Text(2048, { description: 'The webhook URL that receives its alerts' }),
    template: template(),
    state: Choice(['Enabled', 'Disabled'], { description: 'A disabled platform accepts and drops alerts' }),
    description: orNull(Description()),
    lastSyncDate: Timestamp({ description: 'When the last alert was received; the creation date before the first' }),
    lastOpDate: Timestamp(),
    createDate: Timestamp(),
  },
  private: {
    /** The token is derived from it: another number, another token. Random, so that no token is valid again after a uuid is reused. */
    tokenVersion: Long(),
  },
})

export const { query: queryThirdpartyPlatform, get: getThirdpartyPlatform } = queryOperations({
  resource,
  noun: 'ThirdpartyPlatform',
  client: 'alertPlatforms',
  plural: 'alert platforms',
  path: '/v1/zwatch/third-party/platforms',
  inventory: ThirdPartyPlatformInventory,
  since: ours,
})

export const alertProtocols = ['Alertmanager'] as const

export const createThirdpartyPlatform = operation({
  name: 'CreateThirdpartyPlatform',
  client: 'alertPlatforms.create',
  resource,
  method: 'POST',
  path: '/v1/zwatch/third-party/platforms',
  structure: 'params',
  summary: 'Create an alert platform without a cluster, for an existing Alertmanager',
  since: added,
  permission: 'operate',
  fields: {
    name: Name(),
    type: Choice(alertProtocols, { description: 'The alert protocol' }),
    template: optional(template({ minLength: 1 })),
    description: optional(Description()),
    ...creationFields,
  },
  answer: {
    inventory: ThirdPartyPlatformInventory.schema,
    token: orNull(
      shownOnce(Text(255, { description: 'The bearer token for the webhook at `url`; resetToken creates another' })),
    ),
  },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const updateThirdpartyPlatform = operation({
  name: 'UpdateThirdpartyPlatform',
  client: 'alertPlatforms.update',
  resource,
  method: 'PUT',
  path: '/v1/zwatch/third-party/platforms/{uuid}/actions',
  structure: 'updateThirdpartyPlatform',
  summary: 'Rename an alert platform, change its template, enable or disable it',
  since: ours,
  permission: 'operate',
  fields: {
    name: optional(Text(255, { minLength: 1 })),
    template: optional(template({ minLength: 1 })),
    description: optional(Description()),
    stateEvent: optional(
      Choice(stateEvents, { description: 'Alerts of a disabled platform are accepted and dropped' }),
    ),
    ...clearable('description'),
  },
  answer: { inventory: ThirdPartyPlatformInventory.schema },
  errors: ['SYS.1003'],
})

export const previewTemplate = operation({
  name: 'PreviewTemplate',
  client: 'alertPlatforms.previewTemplate',
  resource,
  method: 'PUT',
  path: '/v1/zwatch/third-party/platforms/{uuid}/actions',
  structure: 'previewTemplate',
  summary: 'Render a template with an alert; nothing is stored or sent',
  since: ours,
  permission: 'operate',
  changes: false,
  fields: {
    template: template(),
    alert: optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'An alert in the format of Alertmanager; defaults to an example',
      }),
    ),
  },
  answer: { text: Text(16 * 1024) },
  errors: ['SYS.1003'],
})

export const resetThirdpartyToken = operation({
  name: 'ResetThirdpartyToken',
  client: 'alertPlatforms.resetToken',
  resource,
  method: 'PUT',
  path: '/v1/zwatch/third-party/platforms/{uuid}/actions',
  structure: 'resetToken',
  summary: 'Create a new token for sending alerts; the old one is rejected from then on',
  since: ours,
  permission: 'operate',
  fields: {},
  answer: { token: orNull(shownOnce(Text(255))) },
  errors: ['SYS.1003'],
})

export const deleteThirdpartyPlatform = operation({
  name: 'DeleteThirdpartyPlatform',
  client: 'alertPlatforms.delete',
  resource,
  method: 'DELETE',
  path: '/v1/zwatch/third-party/platforms/{uuid}',
  summary: 'Delete an alert platform with its alerts; its webhook returns 404',
  since: ours,
  permission: 'operate',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003'],
})

export const alertStatuses = ['firing', 'resolved'] as const

export const ThirdpartyAlertInventory = inventory({
  name: 'ThirdpartyAlertInventory',
  since: ours,
  events: ['ThirdPartyAlert'],
  table: 'thirdPartyAlerts',
  scope: { like: 'platformUuid', of: 'thirdPartyPlatforms' },
  routine: ['isWithheld'],
  fields: {
    uuid: Uuid(),
    platformUuid: Uuid({ description: 'The alert platform that received it' }),
    name: Name({ description: 'The label alertname' }),
    status: Choice(alertStatuses, { description: 'As received: firing, or resolved when it has ended' }),
    severity: orNull(Name({ description: 'The label severity' })),
    fingerprint: Text(255, { description: 'Identifies the alert; the same when it fires again' }),
    labels: TextMap(),
    annotations: TextMap(),
    startsAt: Timestamp({ description: 'When it started to fire' }),
    endsAt: orNull(Timestamp({ description: 'When it ended; null while it fires' })),
    acknowledgedBy: orNull(
      Name({
        since: added,
        description: 'The user who acknowledged it; it then sends no message until it is resolved',
      }),
    ),
    acknowledgedDate: orNull(
      Timestamp({ since: added, description: 'When it was acknowledged; null when it was not' }),
    ),
    acknowledgeComment: orNull(
      Description({ since: added, description: 'The comment of the user who acknowledged it' }),
    ),
    silencedBy: orNull(
      Name({ since: added, description: 'The user who silenced all alerts of the platform with this fingerprint' }),
    ),
    silencedDate: orNull(
      Timestamp({
        since: added,
        description: 'When its last silence was set, also one that has ended; null without one',
      }),
    ),
    silencedUntil: orNull(
      Timestamp({ since: added, description: 'The end of the silence; a time in the past when it has ended' }),
    ),
    silenceComment: orNull(Description({ since: added, description: 'Why it was silenced' })),
    createDate: Timestamp({ description: 'When it was received' }),
    lastOpDate: Timestamp(),
  },
  computed: ['silencedBy', 'silencedDate', 'silencedUntil', 'silenceComment'],
  private: {
    /** It fired during a silence: its message is sent when it is repeated after the silence. */
    isWithheld: orNull(Flag()),
  },
})

export const { query: queryThirdpartyAlert, get: getThirdpartyAlert } = queryOperations({
  resource,
  noun: 'ThirdpartyAlert',
  client: 'alerts',
  plural: 'alerts',
  path: '/v1/zwatch/third-party/alerts',
  inventory: ThirdpartyAlertInventory,
})
