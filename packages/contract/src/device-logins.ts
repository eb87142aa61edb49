import { roles } from './accounts.ts'
import { inventory, operation } from './operation.ts'
import { Choice, Integer, optional, orNull, SecretText, Text, Timestamp, Uuid } from './schema.ts'

const since = 'wharf-1.1.0'
const resource = 'identity'
const path = '/v1/device-logins/actions'

/** A confirmed sign-in is redeemed when the device has received its access key. */
export const deviceLoginStates = ['Pending', 'Confirmed', 'Denied', 'Redeemed'] as const

export const DeviceLoginInventory = inventory({
  name: 'DeviceLoginInventory',
  since,
  events: ['DeviceLogin'],
  table: 'deviceLogins',
  scope: 'byRole',
  routine: ['deviceCodeHash', 'network', 'pollDate', 'intervalSeconds'],
  fields: {
    uuid: Uuid(),
    userCode: Text(9, { description: 'The code that the device shows, such as WDJB-MJHT' }),
    clientName: orNull(Text(255, { description: 'The host name that the device sent' })),
    client: orNull(Text(256, { description: 'The User-Agent of the device' })),
    address: Text(64, { description: 'The address of the device' }),
    requestedRole: orNull(Choice(roles, { description: 'The role that the device requested; null for none' })),
    state: Choice(deviceLoginStates, { description: 'Whether a user has confirmed or denied it' }),
    accessKeyUuid: orNull(Uuid({ description: 'The access key that the confirmation created' })),
    createDate: Timestamp(),
    expiresDate: Timestamp({ description: 'Until then it can be confirmed, and the device can get its key' }),
  },
  private: {
    /** SHA-256 of the device code. */
    deviceCodeHash: SecretText(64),
    /** Of the address; the number of pending sign-ins is limited by it. */
    network: Text(64),
    /** When the device last requested its key. */
    pollDate: orNull(Timestamp()),
    /** How long the device must wait between two requests. */
    intervalSeconds: Integer(1, 3600),
  },
})

const userCode = Text(64, { description: 'The code that the device shows; case, spaces and dashes do not matter' })

export const findDeviceLogin = operation({
  name: 'FindDeviceLogin',
  client: 'deviceLogins.find',
  resource,
  method: 'PUT',
  path,
  structure: 'findDeviceLogin',
  summary: 'Find a sign-in that a device waits for, by the code that the device shows',
  since,
  permission: 'own',
  changes: false,
  fields: { userCode },
  answer: { inventory: DeviceLoginInventory.schema },
  errors: ['SYS.1003', 'ID.1003'],
})

export const confirmDeviceLogin = operation({
  name: 'ConfirmDeviceLogin',
  client: 'deviceLogins.confirm',
  resource,
  method: 'PUT',
  path,
  structure: 'confirmDeviceLogin',
  summary: 'Create an access key of the caller for the device that shows this code; it is valid for 90 days',
  since,
  permission: 'own',
  fields: {
    userCode,
    role: optional(
      Choice(roles, { description: 'The role of the key, at most that of the caller, which is the default' }),
    ),
  },
  answer: { inventory: DeviceLoginInventory.schema },
  errors: ['SYS.1002', 'SYS.1003', 'ID.1003', 'ID.1006'],
})

export const denyDeviceLogin = operation({
  name: 'DenyDeviceLogin',
  client: 'deviceLogins.deny',
  resource,
  method: 'PUT',
  path,
  structure: 'denyDeviceLogin',
  summary: 'Refuse the device that shows this code',
  since,
  permission: 'own',
  fields: { userCode },
  answer: { inventory: DeviceLoginInventory.schema },
  errors: ['SYS.1003', 'ID.1003'],
})
