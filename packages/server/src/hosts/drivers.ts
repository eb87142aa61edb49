import type { Sealing } from '../platform/sealing.ts'
import { Secret } from '../platform/secret.ts'
import type { HostDriver } from './driver.ts'
import { openLocalDriver } from './local-driver.ts'
import { ensureServerKey } from './server-key.ts'
import { openSshDriver } from './ssh-driver.ts'
import type { HostRow } from './store.ts'

export const privateKeyPlace = (hostUuid: string): string => `hosts.privateKey.${hostUuid}`

/** One driver per host, kept open between uses; a host that changed gets a new one. */
export class HostDrivers {
  readonly #sealing: Sealing
  readonly #data: string
  readonly #open = new Map<string, { way: string; driver: HostDriver }>()

  constructor(parts: { sealing: Sealing; data: string }) {
    this.#sealing = parts.sealing
    this.#data = parts.data
  }

  async of(host: HostRow): Promise<HostDriver> {
    const known = this.#open.get(host.uuid)
    const way = wayTo(host)
    if (known?.way === way) return known.driver
    await this.forget(host.uuid)
    const driver = await this.#make(host)
    this.#open.set(host.uuid, { way, driver })
    return driver
  }

  async #make(host: HostRow): Promise<HostDriver> {
    if (host.driver === 'local') return openLocalDriver()
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

  async forget(uuid: string): Promise<void> {
    const known = this.#open.get(uuid)
    this.#open.delete(uuid)
    await known?.driver.close()
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#open.keys()].map((uuid) => this.forget(uuid)))
  }
}

/** What a connection depends on; a host that is merely renamed keeps it. */
const wayTo = ({ driver, address, sshPort, username, hostKey, sealedPrivateKey }: HostRow): string =>
  JSON.stringify([driver, address, sshPort, username, hostKey, Buffer.from(sealedPrivateKey ?? []).toString('base64')])
