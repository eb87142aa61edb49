import { deleteMigrateVmInstance } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { type MachineParts, removeMachine } from '../machine.ts'

export interface DeleteVmInput {
  readonly vmUuid: string
  /** What cannot be removed is told in the log, and the record goes all the same. */
  readonly enforcing: boolean
}

export const deleteVmJob = (parts: MachineParts) =>
  job<typeof deleteMigrateVmInstance, DeleteVmInput>(
    deleteMigrateVmInstance,
    [step('remove', (context) => remove(context, parts))],
    async ({ input }, tx) => {
      await parts.migration.deleteVm(tx, input.vmUuid)
      return {}
    },
  )

async function remove(context: JobContext<DeleteVmInput>, parts: MachineParts): Promise<void> {
  const vm = await parts.migration.vm(context.input.vmUuid)
  try {
    await removeMachine(context, parts, vm)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!context.input.enforcing || !(error instanceof ApiError)) throw error
    context.log(`the VM may still be on its host: ${error.code} ${error.message}`)
  }
}
