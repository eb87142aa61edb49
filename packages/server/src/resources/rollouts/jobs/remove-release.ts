import { type JobContext, type JobDefinition, step } from '../../../jobs/definition.ts'
import { notVerified } from '../../software-packages/service.ts'
import { removeRelease } from '../job-operations.ts'
import type { TargetInput } from '../target-end.ts'
import { markState } from './mark-state.ts'
import type { TargetJobDeps } from './target-job-deps.ts'

export interface RemoveInput extends TargetInput {
  readonly packageUuid: string
  /** The archive was on the host before the rollout. */
  readonly isKept: boolean
}

interface Results {
  isUninstallStarted: boolean
}

/** The host had no version before: the release is uninstalled and its files are removed. */
export const removeReleaseJob = (deps: TargetJobDeps): JobDefinition<RemoveInput, Results, typeof removeRelease> => ({
  operation: removeRelease,
  steps: [
    step<RemoveInput, Results>('uninstall', (context) => uninstall(context, deps), {
      undo: (context) => installAgain(context, deps),
      weight: 3,
    }),
    step<RemoveInput, Results>('remove', (context) => removeFiles(context, deps)),
  ].map(markState(deps.ends, { uninstall: 'Installing' })),
  async succeeded({ input }, tx) {
    const { packages, ends } = deps
    const uninstalled = { ...notVerified, sealedInstallConfig: null, releaseUuid: null }
    if (input.isKept) await packages.update(tx, input.packageUuid, { status: 'Uploaded', ...uninstalled })
    else await packages.remove(tx, input.packageUuid)
    await ends.succeed(tx, input, {
      state: 'RolledBack',
      isChanged: 0,
      packageUuid: input.isKept ? input.packageUuid : null,
    })
    return {}
  },
  failed: ({ input }, tx, { failure, undoFailures }) =>
    deps.ends.fail(tx, input, { failure, isUndoFailed: undoFailures.length > 0 }),
})

async function uninstall(context: JobContext<RemoveInput, Results>, { packages }: TargetJobDeps): Promise<void> {
  const row = await packages.get(context.input.packageUuid)
  const { uninstall: hook } = packages.manifestOf(row)
  if (hook === undefined) return
  await context.checkpoint({ isUninstallStarted: true })
  await packages.runHook(context, row, 'uninstall', hook, {})
}

/** A host whose release cannot be removed keeps it as it was. */
async function installAgain(context: JobContext<RemoveInput, Results>, { packages }: TargetJobDeps): Promise<void> {
  if (!context.stepResults.isUninstallStarted) return
  const row = await packages.get(context.input.packageUuid)
  await packages.endEarlierHooks(row.uuid, { signal: context.signal })
  const { install: hook } = packages.manifestOf(row)
  const { config } = packages.configs.open(row) ?? { config: {} }
  if (hook) await packages.runHook(context, row, 'install', hook, { config })
}

async function removeFiles(
  { input, signal }: JobContext<RemoveInput, Results>,
  { packages, hosts }: TargetJobDeps,
): Promise<void> {
  if (input.isKept) return
  const row = await packages.get(input.packageUuid)
  const { driver } = await hosts.usable(row.hostUuid ?? '')
  if (row.unzipInstallPath !== null) await driver.remove(row.unzipInstallPath, { signal })
  await driver.remove(row.installPath, { signal })
}
