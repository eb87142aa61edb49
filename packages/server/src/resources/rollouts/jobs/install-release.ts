import type { JobDefinition } from '../../../jobs/definition.ts'
import type { UpgradeInput, UpgradeResults } from '../../software-packages/upgrades/service.ts'
import { rollOutRelease } from '../job-operations.ts'
import type { TargetInput } from '../target-end.ts'
import { markState } from './mark-state.ts'
import type { TargetJobDeps } from './target-job-deps.ts'

export type InstallInput = UpgradeInput & TargetInput

const states = { transfer: 'Transferring', uninstall: 'Installing', verify: 'Verifying' } as const

/** From the transfer to the verification; a failure leaves the host as it was. */
export const installReleaseJob = ({
  upgrades,
  ends,
}: TargetJobDeps): JobDefinition<InstallInput, UpgradeResults, typeof rollOutRelease> => {
  const job = upgrades.upgradeJob<InstallInput>()
  return {
    ...job,
    operation: rollOutRelease,
    steps: job.steps.map(markState(ends, states)),
    async succeeded(context, tx) {
      await job.succeeded(context, tx)
      await ends.succeed(tx, context.input, { state: 'Succeeded', isChanged: 1 })
      return {}
    },
    async failed(context, tx, result) {
      await job.failed?.(context, tx, result)
      await ends.fail(tx, context.input, { failure: result.failure, isUndoFailed: result.undoFailures.length > 0 })
    },
  }
}
