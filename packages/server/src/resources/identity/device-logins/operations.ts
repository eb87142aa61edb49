import { confirmDeviceLogin, denyDeviceLogin, findDeviceLogin } from '@wharf/contract'
import { type Binding, handle } from '../../../calls/bind.ts'
import type { DeviceLoginService } from './service.ts'

export function deviceLoginOperations(deviceLogins: DeviceLoginService): Binding[] {
  return [
    handle(findDeviceLogin, async ({ caller, fields, source }) => ({
      inventory: await deviceLogins.find(caller, fields.userCode, source),
    })),
    handle(confirmDeviceLogin, ({ caller, fields, source, commit }) =>
      commit(async (tx) => ({ inventory: await deviceLogins.confirm(tx, caller, fields, source) })),
    ),
    handle(denyDeviceLogin, ({ caller, fields, source, commit }) =>
      commit(async (tx) => ({ inventory: await deviceLogins.deny(tx, caller, fields, source) })),
    ),
  ]
}
