import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from '@wharf/archives/config-check.ts'
import { upgradeSoftwarePackage } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, type JobFailure, type Step, step } from '../../../jobs/definition.ts'
import { manifestOf, removeSecrets } from '../configuration.ts'
import { type PackageRow, resourceType } from '../service.ts'
import { shownPackage } from '../shown-package.ts'
import { hasBytesOf } from '../versions.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import { prepareUpgrade, type UpgradeInput, validateUpgrade } from './prepare-upgrade.ts'
import { inspectedColumns, type UploadInput } from './receive-package.ts'
import { removeObsolete } from './remove-obsolete.ts'
import {
  describeReplacementFailure,
  type ReplacementResults,
  recordReplaced,
  recordRestored,
  replacementSteps,
} from './replace-version.ts'
import { hostTransferSteps, removeNamedByJob, type TransferResults, unpackedPath } from './upload-to-host.ts'

export type UpgradeResults = TransferResults & ReplacementResults
type Context = JobContext<UpgradeInput, UpgradeResults>
type TransferContext = JobContext<UploadInput, TransferResults>

export const upgradeJob = (
  deps: PackageJobDeps,
): JobOperation<typeof upgradeSoftwarePackage, UpgradeInput, UpgradeResults> => ({
  operation: upgradeSoftwarePackage,
  async start(call, enqueue) {
    const { packages } = deps
    const { from: before, host, release, config } = await validateUpgrade(call, deps)
    if (hasBytesOf(before, release)) {
      refuseOtherConfig(before, config, deps)
      return call.commit(async (tx) => ({ inventory: shownPackage(await packages.get(before.uuid, tx)) }))
    }
    return call.commit(async (tx) => {
      const from = await packages.get(before.uuid, tx)
      packages.requireStatus(from, 'upgrade')
      await packages.refuseReferenced(tx, from, 'SYS.1006')
      const prepared = await prepareUpgrade(tx, { from, host, release, config }, deps)
      const subject = { uuid: from.uuid, name: release.name, version: release.version }
      return enqueue(tx, { subject, relatedUuid: prepared.input.packageUuid, host, ...prepared })
    })
  },
  steps: upgradeSteps(deps),
  succeeded: async (context, tx) => ({ inventory: shownPackage(await recordUpgraded(context, tx, deps)) }),
  failed: (context, tx, result) => recordUpgradeFailed(context, tx, result, deps),
  describeFailure: describeReplacementFailure,
  removeLeftovers: async (context) => {
    if (context.input.origin !== null) await removeNamedByJob(context as TransferContext, deps)
  },
})

/** From the transfer of a release to its verification on the host, which need not have an installed version. */
const upgradeSteps = (deps: PackageJobDeps): Step<UpgradeInput, UpgradeResults>[] => [
  ...hostTransferSteps(deps).map(whenSent<UpgradeInput, UpgradeResults>(isSent)),
  step('register', async (context) => {
    if (isSent(context)) await registerVersion(context, deps)
  }),
  ...replacementSteps<UpgradeInput, UpgradeResults>(deps),
  step('remove', (context) => removeObsolete(context, deps)),
]

/** Nothing is sent to a host that has the bytes. */
const isSent = ({ input }: Context): boolean => input.origin !== null

/** A step of an upload in a job that does not always need it. */
export const whenSent =
  <Input, Results extends TransferResults>(needsIt: (context: JobContext<Input, Results>) => boolean) =>
  ({ run, undo, ...rest }: Step<UploadInput, TransferResults>): Step<Input, Results> => ({
    ...rest,
    run: async (context) =>
      ((needsIt(context) ? await run(context as unknown as TransferContext) : undefined) ?? {}) as Partial<Results>,
    ...(undo && {
      undo: async (context: JobContext<Input, Results>) => {
        if (needsIt(context)) await undo(context as unknown as TransferContext)
      },
    }),
  })

/** The hooks need what the inspection found. */
export async function registerVersion(
  { input, stepResults, write }: JobContext<{ readonly packageUuid: string }, TransferResults>,
  { packages }: PackageJobDeps,
): Promise<void> {
  const { installPath } = await packages.get(input.packageUuid)
  const unzipInstallPath = unpackedPath(installPath, stepResults)
  await write((tx) =>
    packages.update(tx, input.packageUuid, {
      ...inspectedColumns(stepResults),
      unzipInstallPath,
      status: 'Installing',
    }),
  )
}

/** The same release is not installed twice; another configuration for it would be ignored. */
function refuseOtherConfig(row: PackageRow, config: unknown, { packages }: PackageJobDeps): void {
  if (isDeepStrictEqual((packages.configs.open(row) ?? { config: {} }).config, config)) return
  throw new ApiError(
    'SYS.1002',
    `software package ${row.name} is already installed from this release with another configuration; to change it, uninstall the package and install it again`,
  )
}

/** In the commit that ends the job. */
async function recordUpgraded(context: Context, tx: Tx, deps: PackageJobDeps): Promise<PackageRow> {
  const { config, releaseUuid } = context.input
  const row = await recordReplaced(context, tx, deps, { releaseUuid })
  await showConfig(tx, row, config, deps)
  return row
}

/** A tag of an installed package has its configuration without secrets. */
export async function showConfig(tx: Tx, row: PackageRow, config: unknown, { tags }: PackageJobDeps): Promise<void> {
  const schema = manifestOf(row).config as JsonSchema | undefined
  const shown = schema === undefined ? {} : { config: JSON.stringify(removeSecrets(schema, config)) }
  const tag = { pattern: 'installConfig', value: JSON.stringify(shown) }
  await tags.replace(tx, { resourceUuid: row.uuid, resourceType, ...tag })
}

/** In the commit that ends a failed job: the record of the new version remains only where its files may remain. */
async function recordUpgradeFailed(context: Context, tx: Tx, result: JobFailure, deps: PackageJobDeps): Promise<void> {
  const { packages } = deps
  const { packageUuid, origin } = context.input
  await recordRestored(context, tx, result, deps)
  if ((await packages.find(packageUuid, tx)) === undefined) return
  const isLeft = result.undoFailures.some(({ step: name }) =>
    origin === null ? name === 'install' : name !== 'install' && name !== 'uninstall',
  )
  if (origin !== null && !isLeft) await packages.remove(tx, packageUuid)
  else await packages.update(tx, packageUuid, { upgradeLock: null, status: isLeft ? 'InstallFailed' : 'Uploaded' })
}
