import { createMigrateVmInstance } from '@wharf/contract'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { bringImage, type MachineParts, makeDisk, refuseKnown, removeMachine, startMachine } from '../machine.ts'

export interface VmInput {
  readonly vmUuid: string
}

export const createVmJob = (parts: MachineParts) =>
  job<typeof createMigrateVmInstance, VmInput>(
    createMigrateVmInstance,
    [
      // a step of its own: what it finds on the host must not be undone
      step('check', (context) => refuseKnown(context, parts, context.input.vmUuid)),
      step('image', (context) => bringImage(context, parts, context.input.vmUuid), {
        undo: (context) => remove(context, parts),
        weight: 5,
      }),
      step('disk', (context) => makeDisk(context, parts, context.input.vmUuid)),
      step('start', (context) => startMachine(context, parts, context.input.vmUuid)),
    ],
    async ({ input }, tx) => {
      await parts.migration.vmIsReady(tx, input.vmUuid)
      return { inventory: { ...(await parts.migration.vm(input.vmUuid, tx)), state: 'Running' } }
    },
    ({ input }, tx) => parts.migration.deleteVm(tx, input.vmUuid),
  )

async function remove(context: JobContext<VmInput>, parts: MachineParts): Promise<void> {
  await removeMachine(context, parts, await parts.migration.vm(context.input.vmUuid))
}
