import type { JobDefinition } from '../../../jobs/definition.ts'
import type { RestoreInput as PackageRestoreInput, RestoreResults } from '../../software-packages/upgrades/service.ts'
import { rollBackRelease } from '../job-operations.ts'
import type { TargetInput } from '../target-end.ts'
import { markState } from './mark-state.ts'
import type { TargetJobDeps } from './target-job-deps.ts'

export type RestoreInput = PackageRestoreInput & TargetInput

const states = { transfer: 'Transferring', uninstall: 'Installing', verify: 'Verifying' } as const

/** The version that the host had takes the place of the release, with the configuration that it had. */
export const restoreReleaseJob = ({
  upgrades,
  ends,
}: TargetJobDeps): JobDefinition<RestoreInput, RestoreResults, typeof rollBackRelease> => {
  const job = upgrades.restoreJob<RestoreInput>()
  return {
    ...job,
    operation: rollBackRelease,
    steps: job.steps.map(markState(ends, states)),
    async succeeded(context, tx) {
      await job.succeeded(context, tx)
      const { packageUuid: previousPackageUuid } = context.input
      await ends.succeed(tx, context.input, { state: 'RolledBack', isChanged: 0, previousPackageUuid })
      return {}
    },
    async failed(context, tx, result) {
      await job.failed?.(context, tx, result)
      await ends.fail(tx, context.input, { failure: result.failure, isUndoFailed: result.undoFailures.length > 0 })
    },
  }
}
