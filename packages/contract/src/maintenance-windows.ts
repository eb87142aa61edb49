import { inventory, operation } from './operation.ts'
import { queryOperations } from './query.ts'
import { Integer, List, Name, notQueried, optional, orNull, Text, Timestamp, Uuid } from './schema.ts'
import { creationFields, deletionFields } from './shared-fields.ts'

const since = 'wharf-1.1.0'
const resource = 'maintenance-windows'
const path = '/v1/maintenance-windows'

const minutesPerWeek = 7 * 24 * 60

const selector = () =>
  List(Text(2048), {
    maxItems: 32,
    description:
      'Conditions on hosts, as in q; the window restricts the hosts that match all of them, and every host when the list is empty',
  })
const cron = () =>
  Text(255, {
    minLength: 1,
    description: 'When it opens: minute, hour, day of the month, month and day of the week, as in crontab',
  })
const durationMinutes = () => Integer(1, minutesPerWeek, { description: 'How long it is open' })
const timeZone = () => Text(64, { minLength: 1, description: 'The IANA time zone of cron, such as Europe/Berlin' })
const cutoffMinutes = () =>
  Integer(0, minutesPerWeek - 1, {
    description: 'In the last minutes of the window no host is started; shorter than the window',
  })

export const MaintenanceWindowInventory = inventory({
  name: 'MaintenanceWindowInventory',
  since,
  events: ['MaintenanceWindow'],
  table: 'maintenanceWindows',
  scope: 'byRole',
  fields: {
    uuid: Uuid(),
    name: Name(),
    selector: selector(),
    cron: cron(),
    durationMinutes: durationMinutes(),
    timeZone: timeZone(),
    cutoffMinutes: cutoffMinutes(),
    nextOpenDate: notQueried(
      orNull(Timestamp({ description: 'When it opens next, also while it is open; null when it never does again' })),
    ),
    createDate: Timestamp(),
    lastOpDate: Timestamp(),
  },
  computed: ['nextOpenDate'],
})

export const createMaintenanceWindow = operation({
  name: 'CreateMaintenanceWindow',
  client: 'maintenanceWindows.create',
  resource,
  method: 'POST',
  path,
  structure: 'params',
  summary: 'Create a maintenance window: the times at which a rollout may start work on hosts',
  since,
  permission: 'operate',
  fields: {
    name: Name(),
    selector: optional(selector()),
    cron: cron(),
    durationMinutes: durationMinutes(),
    timeZone: optional(
      Text(64, { minLength: 1, description: 'The IANA time zone of cron, such as Europe/Berlin; defaults to UTC' }),
    ),
    cutoffMinutes: optional(cutoffMinutes()),
    ...creationFields,
  },
  answer: { inventory: MaintenanceWindowInventory.schema },
  errors: ['SYS.1002', 'SYS.1003'],
})

export const { query: queryMaintenanceWindow, get: getMaintenanceWindow } = queryOperations({
  resource,
  noun: 'MaintenanceWindow',
  client: 'maintenanceWindows',
  plural: 'maintenance windows',
  path,
  inventory: MaintenanceWindowInventory,
})

export const updateMaintenanceWindow = operation({
  name: 'UpdateMaintenanceWindow',
  client: 'maintenanceWindows.update',
  resource,
  method: 'PUT',
  path: `${path}/{uuid}/actions`,
  structure: 'updateMaintenanceWindow',
  summary:
    'Change a maintenance window; unfinished rollouts follow its new times at once, and keep the hosts that its selector matched when they were created',
  since,
  permission: 'operate',
  fields: {
    name: optional(Text(255, { minLength: 1 })),
    selector: optional(selector()),
    cron: optional(cron()),
    durationMinutes: optional(durationMinutes()),
    timeZone: optional(timeZone()),
    cutoffMinutes: optional(cutoffMinutes()),
  },
  answer: { inventory: MaintenanceWindowInventory.schema },
  errors: ['SYS.1003'],
})

export const deleteMaintenanceWindow = operation({
  name: 'DeleteMaintenanceWindow',
  client: 'maintenanceWindows.delete',
  resource,
  method: 'DELETE',
  path: `${path}/{uuid}`,
  summary: 'Delete a maintenance window; rejected while an unfinished rollout uses it',
  since,
  permission: 'operate',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1004'],
})
