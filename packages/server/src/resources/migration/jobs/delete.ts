import { deleteMigrateVmInstance } from '@wharf/contract'
import { ApiError, notFound } from '@wharf/platform/api-error.ts'
import type { JobOperation, Started } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { removeMachine } from '../machine.ts'
import type { MigrationJobDeps } from './migration-job-deps.ts'

interface Input {
  readonly vmUuid: string
  /** A VM that cannot be removed is logged, and the record is deleted nevertheless. */
  readonly enforcing: boolean
}

export const deleteVmJob = (deps: MigrationJobDeps): JobOperation<typeof deleteMigrateVmInstance, Input> => ({
  operation: deleteMigrateVmInstance,
  async start(call, enqueue) {
    const { migration, hosts, jobs } = deps
    const { uuid } = call.path
    const enforcing = call.fields.deleteMode === 'Enforcing'
    await hosts.getForWork((await migration.vm(uuid)).hostUuid, call.caller)
    if (enforcing) await jobs.cancelSubject(call, uuid)
    return call.commit(async (tx): Promise<Started<typeof deleteMigrateVmInstance>> => {
      const vm = await migration.findVm(uuid, tx)
      // a VM whose creation was cancelled just now is already deleted
      if (vm === undefined && enforcing) return {}
      if (vm === undefined) throw notFound('gateway VM', uuid)
      if (vm.role === 'management')
        throw new ApiError(
          'SYS.1004',
          `${vm.name} is the management VM; it is removed when its software package is uninstalled`,
        )
      await jobs.refuseBusy(tx, uuid)
      const host = await hosts.getForWork(vm.hostUuid, call.caller, tx)
      if (!enforcing) hosts.refuseUnusable({ ...host, state: 'Enabled' })
      const { managementNodeUuid } = host
      return enqueue(tx, { subject: vm, host, input: { vmUuid: uuid, enforcing }, managementNodeUuid })
    })
  },
  steps: [step('remove', (context) => remove(context, deps))],
  async succeeded({ input }, tx) {
    await deps.migration.deleteVm(tx, input.vmUuid)
    return {}
  },
})

async function remove(context: JobContext<Input>, deps: MigrationJobDeps): Promise<void> {
  const vm = await deps.migration.vm(context.input.vmUuid)
  try {
    await removeMachine(context, deps, vm)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!context.input.enforcing || !(error instanceof ApiError)) throw error
    context.log(`the VM may still be on its host: ${error.code} ${error.message}`)
  }
}
