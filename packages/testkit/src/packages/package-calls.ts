import { setTimeout as delay } from 'node:timers/promises'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Answer, Client } from '../calls/client.ts'
import { startHosts } from '../hosts/hosts.ts'
import type { TestHost, TestHostOptions } from '../hosts/test-host.ts'

export interface PackageRecord {
  uuid: string
  name: string
  hostUuid: string | null
  managementNodeUuid: string | null
  installPath: string
  unzipInstallPath: string | null
  type: string
  md5sum: string | null
  status: string
  size: number
  version: string | null
  releaseUuid: string | null
  health: string | null
  healthError: string | null
  lastVerifiedDate: string | null
}

export interface PublishedRelease {
  uuid: string
  softwarePackageUuid: string
  sha256: string
}

export const recordIn = ({ body }: Answer): PackageRecord => body.inventory as PackageRecord

interface CalledServer {
  readonly admin: Client
  readonly bootstrap: { readonly hostUuid: string; readonly managementNodeUuid: string }
}

/** Shorthand for the calls on packages. */
export abstract class PackageCalls {
  abstract readonly server: CalledServer

  get admin(): Client {
    return this.server.admin
  }

  /** Real hosts, added. */
  async addHosts(
    t: { after(work: () => Promise<void>): void },
    count = 1,
    options: TestHostOptions = {},
  ): Promise<{ machine: TestHost; uuid: string }[]> {
    const machines = await startHosts(t, count, options)
    return Promise.all(
      machines.map(async (machine) => {
        const { hostname: name, address, port: sshPort, username, privateKey } = machine
        const params = { name, driver: 'ssh', address, sshPort, username, privateKey }
        const added = await this.admin.post('/v1/hosts', { params })
        if (added.status !== 200) throw new Error(added.text)
        return { machine, uuid: (added.body.inventory as { uuid: string }).uuid }
      }),
    )
  }

  /** Where a package from backup storage is on the host. */
  async homeOn(hostUuid: string, uuid: string): Promise<string> {
    const { body } = await this.admin.get(`/v1/hosts/${hostUuid}`)
    const [{ packagesPath }] = body.inventories as [{ packagesPath: string }]
    return `${packagesPath}/${uuid}`
  }

  /** To this machine unless a host is named. */
  upload(params: Record<string, unknown>, headers: Record<string, string> = {}, more: object = {}): Promise<Answer> {
    const { hostUuid, managementNodeUuid } = this.server.bootstrap
    const all = { name: 'demo', type: 'demo', hostUuid, managementNodeUuid, ...params }
    return this.admin.post('/v1/software-packages/upload', { params: all, ...more }, headers)
  }

  toStorage(params: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
    const all = { name: 'demo', type: 'demo', ...params }
    return this.admin.post('/v1/software-packages/backup-storage/upload', { params: all }, headers)
  }

  install(uuid: string, config?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = config === undefined || typeof config === 'string' ? config : JSON.stringify(config)
    const body = { installSoftwarePackage: text === undefined ? {} : { config: text } }
    return this.admin.put(`/v1/software-package/install/${uuid}/actions`, body, headers)
  }

  uninstall(uuid: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.admin.put(`/v1/software-package/${uuid}/actions`, { uninstallSoftwarePackage: {} }, headers)
  }

  /** `upgradeSoftwarePackage`, `rollBackSoftwarePackage` or `verifySoftwarePackage`. */
  act(uuid: string, action: string, fields: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.admin.put(`/v1/software-package/${uuid}/actions`, { [action]: fields }, headers)
  }

  /** Stores a package on backup storage, the first one unless another is named, and publishes it. */
  async publish(url: string, backupStorageUuid?: string): Promise<PublishedRelease> {
    const stored = await this.toStorage({ url, installPath: `releases/${newUuid()}`, backupStorageUuid })
    if (stored.status !== 200) throw new Error(stored.text)
    const params = { softwarePackageUuid: recordIn(stored).uuid }
    const published = await this.admin.post('/v1/releases', { params })
    if (published.status !== 200) throw new Error(published.text)
    return published.body.inventory as PublishedRelease
  }

  remove(uuid: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.admin.delete(`/v1/software-package/${uuid}`, undefined, headers)
  }

  async get(uuid: string): Promise<PackageRecord> {
    const { body } = await this.admin.get(`/v1/software-package/${uuid}`)
    const [record] = body.inventories as PackageRecord[]
    if (record === undefined) throw new Error(`package ${uuid} does not exist`)
    return record
  }

  /** Resolves when the package is as expected. After a kill dozens of uploads resume at once, so this may take long. */
  async waitUntil(
    uuid: string,
    isExpected: (record: PackageRecord) => boolean,
    withinMs = 60_000,
  ): Promise<PackageRecord> {
    for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(20)) {
      const record = await this.get(uuid)
      if (isExpected(record)) return record
    }
    throw new Error(`the package is still ${JSON.stringify(await this.get(uuid))}`)
  }
}
