import type { JsonSchema } from '@wharf/archives/config-check.ts'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { JobDefinition } from '../../jobs/definition.ts'
import type { JobService } from '../../jobs/service.ts'
import type { HostRow } from '../hosts/service.ts'
import type { TagService } from '../tags/service.ts'
import { type Beginning, nodeOf } from './beginning.ts'
import { manifestOf, readConfiguration, withoutSecrets } from './configuration.ts'
import { refuseFormerHost } from './former-host.ts'
import { deleteJob } from './jobs/delete.ts'
import { installJob } from './jobs/install.ts'
import type { JobParts } from './jobs/receiving.ts'
import { uninstallJob } from './jobs/uninstall.ts'
import { type PackageRow, resourceType } from './service.ts'

interface Parts extends JobParts {
  readonly tags: TagService
  readonly jobs: JobService
}

/** The first part of what is done with a package that is there; what can be refused at once is refused. */
export class PackageStarting {
  readonly #parts: Parts
  readonly #install: ReturnType<typeof installJob>
  readonly #uninstall: ReturnType<typeof uninstallJob>
  readonly #delete: ReturnType<typeof deleteJob>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#install = installJob(parts)
    this.#uninstall = uninstallJob(parts)
    this.#delete = deleteJob(parts)
    for (const definition of [this.#install, this.#uninstall, this.#delete])
      parts.jobs.runner.register(definition as JobDefinition)
  }

  async install(call: Beginning, uuid: string, config: string | undefined): Promise<{ jobUuid: string }> {
    const { packages, hosts, backupStorage, jobs, tags } = this.#parts
    const row = await packages.get(uuid)
    const own = row.backupStorageUuid === null ? await this.#hostOf(call, row) : undefined
    await this.#requireKindHosts(call, row)
    packages.requireStatus(row, 'install')
    const manifest = manifestOf(row)
    if (manifest.type !== row.type)
      throw new ApiError(
        'SoftwarePackage.1101',
        `software package ${row.name} was uploaded as ${row.type}, but says that it is ${manifest.type}`,
      )
    const { value, hostUuid } = readConfiguration(manifest, config)
    const target = own?.uuid ?? hostUuid
    if (!target)
      throw invalid('installSoftwarePackage.config must name the hostUuid, since the package is on backup storage')
    const host = own ?? (await hosts.getForWork(target, call.caller))
    hosts.refuseUnusable(host)
    if (row.hostUuid !== null && row.hostUuid !== target)
      refuseFormerHost(row, await hosts.getForWork(row.hostUuid, call.caller))
    const storage = row.backupStorageUuid === null ? undefined : await backupStorage.get(row.backupStorageUuid)
    if (storage) backupStorage.refuseUnusable(storage)
    await packages.kindOf(row)?.checkInstallation({ row, hostUuid: target, config: value })
    const schema = manifest.config as JsonSchema | undefined
    const shown = schema === undefined ? {} : { config: JSON.stringify(withoutSecrets(schema, value)) }
    return call.commit(async (tx) => {
      await packages.begin(tx, uuid, 'install', 'Installing')
      const tag = { pattern: 'installConfig', value: JSON.stringify(shown) }
      await tags.replace(tx, { resourceUuid: uuid, resourceType, ...tag })
      const input = { packageUuid: uuid, config: value, hostUuid: target }
      const submission = { request: call.job, subjectUuid: uuid, input }
      return jobs.enqueue(tx, this.#install, { ...submission, ...nodeOf(host), ...(storage ? nodeOf(storage) : {}) })
    })
  }

  async uninstall(call: Beginning, uuid: string): Promise<{ jobUuid: string }> {
    const { packages, hosts, jobs } = this.#parts
    const before = await packages.get(uuid)
    await this.#hostOf(call, before)
    const kind = packages.kindOf(before)
    await kind?.lookAround(before)
    return call.commit(async (tx) => {
      const row = await packages.get(uuid, tx)
      const host = await this.#hostOf(call, row, tx)
      packages.requireStatus(row, 'uninstall')
      await kind?.refuseInUse(tx, row, 'uninstall')
      if (row.status === 'Initialized') await packages.refuseReferenced(tx, row, 'SYS.1006')
      if (host) hosts.refuseUnusable(host)
      const submission = { request: call.job, subjectUuid: uuid, input: { packageUuid: uuid } }
      return jobs.enqueue(tx, this.#uninstall, { ...submission, ...(host ? nodeOf(host) : {}) })
    })
  }

  async delete(call: Beginning, uuid: string, mode: 'Permissive' | 'Enforcing'): Promise<{ jobUuid: string }> {
    const { packages, jobs, backupStorage } = this.#parts
    const before = await packages.get(uuid)
    const kind = packages.kindOf(before)
    await this.#hostOf(call, before)
    if (mode === 'Enforcing') await jobs.cancelSubject(call, uuid)
    else await kind?.lookAround(before)
    return call.commit(async (tx) => {
      const row = await packages.get(uuid, tx)
      const host = await this.#hostOf(call, row, tx)
      await jobs.refuseBusy(tx, uuid)
      await packages.refuseReferenced(tx, row, 'SYS.1004')
      if (mode === 'Permissive') await kind?.refuseInUse(tx, row, 'delete')
      const place = host ?? (await backupStorage.get(row.backupStorageUuid ?? '', tx))
      const input = { packageUuid: uuid, enforcing: mode === 'Enforcing' }
      const submission = { request: call.job, subjectUuid: uuid, input }
      return jobs.enqueue(tx, this.#delete, { ...submission, ...nodeOf(place) })
    })
  }

  /** The host that the package is on, once the caller may have work done on every host that has something of it. */
  async #hostOf(call: Beginning, row: PackageRow, tx?: Tx): Promise<HostRow | undefined> {
    await this.#requireKindHosts(call, row, tx)
    return row.hostUuid === null ? undefined : this.#parts.hosts.getForWork(row.hostUuid, call.caller, tx)
  }

  async #requireKindHosts({ caller }: Beginning, row: PackageRow, tx?: Tx): Promise<void> {
    const { packages, hosts } = this.#parts
    for (const uuid of (await packages.kindOf(row)?.hostsOf(row, tx)) ?? []) await hosts.getForWork(uuid, caller, tx)
  }
}
