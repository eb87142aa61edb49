import type { Sealing } from '@wharf/platform/sealing.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { ensureServerKey } from '@wharf/ssh/server-key.ts'
import { DriverCache } from '../../records/driver-cache.ts'
import type { HostDriver } from './driver.ts'
import { openLocalDriver } from './local-driver.ts'
import { openSshDriver } from './ssh-driver.ts'
import type { HostRow } from './store.ts'

export const privateKeyContext = (hostUuid: string): string => `hosts.privateKey.${hostUuid}`

export type HostDrivers = DriverCache<HostRow, HostDriver>

export const hostDrivers = (deps: { sealing: Sealing; data: string }): HostDrivers =>
  new DriverCache({
    open: (host) => openDriver(host, deps),
    connectionKey: (host) => connectionKey(host, deps.sealing),
  })

async function openDriver(host: HostRow, { sealing, data }: { sealing: Sealing; data: string }): Promise<HostDriver> {
  if (host.driver === 'local') return openLocalDriver(data)
  const { address, sshPort, username, hostKey, sealedPrivateKey } = host
  const privateKey = sealedPrivateKey
    ? Secret.of(sealing.open(sealedPrivateKey, privateKeyContext(host.uuid)))
    : (await ensureServerKey(data)).privateKey
  return openSshDriver({
    address,
    port: sshPort ?? 22,
    username: username ?? 'root',
    hostKey: hostKey ?? '',
    privateKey,
    onlyThisKey: sealedPrivateKey !== null,
  })
}

/** By the key itself: a rotation of the master key reseals it, and must not close the connection. */
function connectionKey(host: HostRow, sealing: Sealing): string {
  const { driver, address, sshPort, username, hostKey, sealedPrivateKey, uuid } = host
  const key = sealedPrivateKey && sealing.identify(sealedPrivateKey, privateKeyContext(uuid))
  return JSON.stringify([driver, address, sshPort, username, hostKey, key])
}
