import { createMigrateVmInstance } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import type { PackageRow } from '../../software-packages/service.ts'
import { copyImage, createDisk, refuseExistingVm, removeMachine, startMachine } from '../machine.ts'
import { machineSize } from '../machine-size.ts'
import { vmResourceType } from '../service.ts'
import type { MigrationJobDeps } from './migration-job-deps.ts'

interface Input {
  readonly vmUuid: string
}

export const createVmJob = (deps: MigrationJobDeps): JobOperation<typeof createMigrateVmInstance, Input> => ({
  operation: createMigrateVmInstance,
  async start(call, enqueue) {
    const { hosts, migration, jobs, tags, backupStorage } = deps
    const { name, hostUuid, description = null, resourceUuid = newSequentialUuid(), tagUuids } = call.fields
    const size = machineSize({ ...call.fields })
    const host = await hosts.getForWork(hostUuid, call.caller)
    hosts.refuseUnusable(host)
    return call.commit(async (tx) => {
      const row = await lockInstalledPackage(tx, deps)
      await jobs.refuseBusy(tx, row.uuid)
      const { uuid: imageUuid } = await migration.gatewayImage(row, tx)
      const storage = await backupStorage.get(row.backupStorageUuid ?? '', tx)
      backupStorage.refuseUnusable(storage)
      const vm = { uuid: resourceUuid, name, description, hostUuid, packageUuid: row.uuid, imageUuid, ...size }
      await migration.createVm(tx, { ...vm, role: 'gateway' })
      await tags.attach(tx, { resourceUuid, resourceType: vmResourceType, tags: call.tags, tagUuids })
      return enqueue(tx, {
        subject: vm,
        host,
        input: { vmUuid: resourceUuid },
        managementNodeUuid: host.managementNodeUuid ?? storage.managementNodeUuid,
      })
    })
  },
  steps: [
    // a separate step, so that an existing VM on the host is not undone
    step('check', (context) => refuseExistingVm(context, deps, context.input.vmUuid)),
    step('image', (context) => copyImage(context, deps, context.input.vmUuid), {
      undo: (context) => remove(context, deps),
      weight: 5,
    }),
    step('disk', (context) => createDisk(context, deps, context.input.vmUuid)),
    step('start', (context) => startMachine(context, deps, context.input.vmUuid)),
  ],
  async succeeded({ input }, tx) {
    await deps.migration.markVmReady(tx, input.vmUuid)
    return { inventory: { ...(await deps.migration.vm(input.vmUuid, tx)), state: 'Running' } }
  },
  failed: ({ input }, tx) => deps.migration.deleteVm(tx, input.vmUuid),
})

/** Locked, so that an uninstallation of the package waits for this commit and then finds the new VM. */
async function lockInstalledPackage(tx: Tx, { migration, packages }: MigrationJobDeps): Promise<PackageRow> {
  const uuid = await migration.lockPackage(tx)
  const row = uuid === undefined ? undefined : await packages.get(uuid, tx)
  if (row?.status === 'Installed') return row
  throw new ApiError(
    'SYS.1005',
    row === undefined
      ? 'no software package of type Migrate exists; upload and install one first'
      : `software package ${row.name} is ${row.status}; to create gateway VMs it must be Installed`,
  )
}

async function remove(context: JobContext<Input>, deps: MigrationJobDeps): Promise<void> {
  await removeMachine(context, deps, await deps.migration.vm(context.input.vmUuid))
}
