import type { JobDefinition } from '../../../jobs/definition.ts'
import { verifyRelease } from '../job-operations.ts'
import type { TargetInput } from '../target-end.ts'
import type { TargetJobDeps } from './target-job-deps.ts'

export type VerifyInput = TargetInput & { readonly packageUuid: string }

/** The verify hook once more, after the soak. */
export const verifyReleaseJob = ({
  upgrades,
  ends,
}: TargetJobDeps): JobDefinition<VerifyInput, Record<never, never>, typeof verifyRelease> => ({
  operation: verifyRelease,
  steps: upgrades.verifyJob<VerifyInput>().steps,
  async succeeded({ input }, tx) {
    await ends.succeedVerification(tx, input)
    return {}
  },
  failed: ({ input }, tx, { failure }) => ends.fail(tx, input, { failure, isUndoFailed: false }),
})
