import { ThirdpartyAlertInventory } from './alerts.ts'
import { operation } from './operation.ts'
import { Description, optional, Text } from './schema.ts'
import { timeText } from './shared-fields.ts'

const since = 'wharf-1.1.0'
const resource = 'alerts'
const path = '/v1/zwatch/third-party/alerts/{uuid}/actions'

export const acknowledgeThirdpartyAlert = operation({
  name: 'AcknowledgeThirdpartyAlert',
  client: 'alerts.acknowledge',
  resource,
  method: 'PUT',
  path,
  structure: 'acknowledgeAlert',
  summary: 'Acknowledge a firing alert: it sends no further message until it is resolved, which is still reported',
  since,
  permission: 'operate',
  fields: { comment: optional(Description()) },
  answer: { inventory: ThirdpartyAlertInventory.schema },
  errors: ['SYS.1003', 'SYS.1005'],
})

export const silenceThirdpartyAlert = operation({
  name: 'SilenceThirdpartyAlert',
  client: 'alerts.silence',
  resource,
  method: 'PUT',
  path,
  structure: 'silenceAlert',
  summary: 'Silence an alert: until then, alerts of the platform with its fingerprint are stored but send no message',
  since,
  permission: 'operate',
  fields: {
    until: timeText('The end of the silence, at most 90 days from now'),
    comment: Text(2048, { minLength: 1, description: 'Why it is silenced' }),
  },
  answer: { inventory: ThirdpartyAlertInventory.schema },
  errors: ['SYS.1003'],
})

export const unsilenceThirdpartyAlert = operation({
  name: 'UnsilenceThirdpartyAlert',
  client: 'alerts.unsilence',
  resource,
  method: 'PUT',
  path,
  structure: 'unsilenceAlert',
  summary: 'End the silence of an alert now',
  since,
  permission: 'operate',
  fields: {},
  answer: { inventory: ThirdpartyAlertInventory.schema },
  errors: ['SYS.1003', 'SYS.1005'],
})
