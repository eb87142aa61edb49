import type { createMigrateVmInstance, FieldsOf } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Caller } from '../../calls/caller.ts'
import type { JobRequest, JobService } from '../../jobs/service.ts'
import type { PackageRow, SoftwarePackageService } from '../software-packages/service.ts'
import type { TagService } from '../tags/service.ts'
import { createVmJob } from './jobs/create.ts'
import { deleteVmJob } from './jobs/delete.ts'
import type { MachineParts } from './machine.ts'
import { machineSize } from './machine-size.ts'
import { vmResourceType } from './service.ts'

/** What a call brings along, whoever carries it. */
interface Beginning {
  readonly caller: Caller
  readonly tags: { readonly system: readonly string[]; readonly user: readonly string[] }
  readonly job: JobRequest
  commit<T extends object>(work: (tx: Tx) => Promise<T>): Promise<T>
  authorise(tx: Tx): Promise<void>
}

interface Parts extends MachineParts {
  readonly packages: SoftwarePackageService
  readonly jobs: JobService
  readonly tags: TagService
}

/** The first part of making and removing gateway VMs: what can be refused at once is refused. */
export class MigrationStarting {
  readonly #parts: Parts
  readonly #create: ReturnType<typeof createVmJob>
  readonly #delete: ReturnType<typeof deleteVmJob>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#create = createVmJob(parts)
    this.#delete = deleteVmJob(parts)
    parts.jobs.runner.register(this.#create)
    parts.jobs.runner.register(this.#delete)
  }

  async create(call: Beginning, fields: FieldsOf<typeof createMigrateVmInstance>): Promise<{ jobUuid: string }> {
    const { hosts, migration, jobs, tags, backupStorage } = this.#parts
    const { name, hostUuid, description = null, resourceUuid = newUuid(), tagUuids } = fields
    const size = machineSize({ ...fields })
    const host = await hosts.getForWork(hostUuid, call.caller)
    hosts.refuseUnusable(host)
    return call.commit(async (tx) => {
      const row = await this.#installed(tx)
      await jobs.refuseBusy(tx, row.uuid)
      const { uuid: imageUuid } = await migration.gatewayImage(row, tx)
      const storage = await backupStorage.get(row.backupStorageUuid ?? '', tx)
      backupStorage.refuseUnusable(storage)
      const vm = { uuid: resourceUuid, name, description, hostUuid, packageUuid: row.uuid, imageUuid, ...size }
      await migration.createVm(tx, { ...vm, role: 'gateway' })
      await tags.attach(tx, { resourceUuid, resourceType: vmResourceType, tags: call.tags, tagUuids })
      return jobs.enqueue(tx, this.#create, {
        request: call.job,
        subjectUuid: resourceUuid,
        input: { vmUuid: resourceUuid },
        // a node's own machine, and a node's own folder, are that node's
        ...nodeOf(host.managementNodeUuid ?? storage.managementNodeUuid),
      })
    })
  }

  async delete(
    call: Beginning,
    uuid: string,
    mode: 'Permissive' | 'Enforcing',
  ): Promise<{ jobUuid: string } | Record<never, never>> {
    const { migration, hosts, jobs } = this.#parts
    const { hostUuid } = await migration.vm(uuid)
    await hosts.getForWork(hostUuid, call.caller)
    if (mode === 'Enforcing') await jobs.cancelSubject(call, uuid)
    return call.commit(async (tx) => {
      const vm = await migration.findVm(uuid, tx)
      // a VM that was still being made has gone with the job that made it
      if (vm === undefined && mode === 'Enforcing') return {}
      if (vm === undefined) throw notFound('gateway VM', uuid)
      if (vm.role === 'management')
        throw new ApiError(
          'SYS.1004',
          `${vm.name} is the management VM; it goes when its software package is uninstalled`,
        )
      await jobs.refuseBusy(tx, uuid)
      const host = await hosts.getForWork(vm.hostUuid, call.caller, tx)
      const enforcing = mode === 'Enforcing'
      if (!enforcing) hosts.refuseUnusable({ ...host, state: 'Enabled' })
      const submission = { request: call.job, subjectUuid: uuid, input: { vmUuid: uuid, enforcing } }
      return jobs.enqueue(tx, this.#delete, { ...submission, ...nodeOf(host.managementNodeUuid) })
    })
  }

  /** The gateway is held as it is: whoever uninstalls its package waits, and then sees the new VM. */
  async #installed(tx: Tx): Promise<PackageRow> {
    const { migration, packages } = this.#parts
    const uuid = await migration.heldPackage(tx)
    const row = uuid === undefined ? undefined : await packages.get(uuid, tx)
    if (row?.status === 'Installed') return row
    throw new ApiError(
      'SYS.1005',
      row === undefined
        ? 'there is no software package of type Migrate; upload and install one first'
        : `software package ${row.name} is ${row.status}; to make gateway VMs it must be Installed`,
    )
  }
}

const nodeOf = (managementNodeUuid: string | null) => (managementNodeUuid === null ? {} : { managementNodeUuid })
