import { KeptOpen } from '@wharf/platform/kept-open.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { Secret } from '@wharf/platform/secret.ts'
import { ensureServerKey } from '@wharf/ssh/server-key.ts'
import type { HostDriver } from './driver.ts'
import { openLocalDriver } from './local-driver.ts'
import { openSshDriver } from './ssh-driver.ts'
import type { HostRow } from './store.ts'

export const privateKeyPlace = (hostUuid: string): string => `hosts.privateKey.${hostUuid}`

/** One driver per host, kept open between uses; a host that changed gets a new one. */
export class HostDrivers {
  readonly #sealing: Sealing
  readonly #data: string
  readonly #open = new KeptOpen<HostDriver>()

  constructor(parts: { sealing: Sealing; data: string }) {
    this.#sealing = parts.sealing
    this.#data = parts.data
  }

  of(host: HostRow): Promise<HostDriver> {
    return this.#open.get(host.uuid, wayTo(host), () => this.#make(host))
  }

  async #make(host: HostRow): Promise<HostDriver> {
    if (host.driver === 'local') return openLocalDriver(this.#data)
    const { address, sshPort, username, hostKey, sealedPrivateKey } = host
    const privateKey = sealedPrivateKey
      ? Secret.of(this.#sealing.open(sealedPrivateKey, privateKeyPlace(host.uuid)))
      : (await ensureServerKey(this.#data)).privateKey
    return openSshDriver({
      address,
      port: sshPort ?? 22,
      username: username ?? 'root',
      hostKey: hostKey ?? '',
      privateKey,
      onlyThisKey: sealedPrivateKey !== null,
    })
  }

  forget(uuid: string): Promise<void> {
    return this.#open.forget(uuid)
  }

  closeAll(): Promise<void> {
    return this.#open.closeAll()
  }
}

/** What a connection depends on; a host that is merely renamed keeps it. */
const wayTo = ({ driver, address, sshPort, username, hostKey, sealedPrivateKey }: HostRow): string =>
  JSON.stringify([driver, address, sshPort, username, hostKey, Buffer.from(sealedPrivateKey ?? []).toString('base64')])
