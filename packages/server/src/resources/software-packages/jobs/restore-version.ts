import type { Tx } from '@wharf/database/database.ts'
import type { JobContext, JobDefinition, JobFailure, Step } from '../../../jobs/definition.ts'
import { step } from '../../../jobs/definition.ts'
import { hasUnpacked } from '../hook-files.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import { missingVersion, type RestoreInput } from './prepare-restore.ts'
import type { UploadInput } from './receive-package.ts'
import {
  describeReplacementFailure,
  type ReplacementResults,
  recordReplaced,
  recordRestored,
  replacementSteps,
} from './replace-version.ts'
import { registerVersion, showConfig, whenSent } from './upgrade.ts'
import { hostTransferSteps, removeNamedByJob, type TransferResults } from './upload-to-host.ts'

export type RestoreResults = TransferResults &
  ReplacementResults & {
    /** The host no longer had the files. */
    isSent: boolean
  }

type Context = JobContext<RestoreInput, RestoreResults>
type TransferContext = JobContext<UploadInput, TransferResults>

const isSent = ({ stepResults }: Pick<Context, 'stepResults'>): boolean => stepResults.isSent === true

/** An earlier version takes the place of the installed one, with the configuration that it had. */
export const restoreVersionJob = (
  deps: PackageJobDeps,
): Omit<JobDefinition<RestoreInput, RestoreResults>, 'operation'> => {
  const transfer = hostTransferSteps(deps).map(whenSent<RestoreInput, RestoreResults>(isSent))
  return {
    steps: [
      ...transfer.map((one) => (one.name === 'check' ? { ...one, run: checkFiles(one, deps) } : one)),
      step('register', async (context) => {
        if (isSent(context)) await registerVersion(context, deps)
      }),
      ...replacementSteps<RestoreInput, RestoreResults>(deps),
    ],
    async succeeded(context, tx) {
      const row = await recordReplaced(context, tx, deps)
      if (isSent(context)) await showConfig(tx, row, context.input.config, deps)
      return {}
    },
    failed: (context, tx, result) => recordFailed(context, tx, result, deps),
    describeFailure: describeReplacementFailure,
    removeLeftovers: async (context) => {
      if (isSent(context)) await removeNamedByJob(context as unknown as TransferContext, deps)
    },
  }
}

/** Files that were removed or changed on the host are sent again. */
const checkFiles =
  ({ run }: Step<RestoreInput, RestoreResults>, { packages, hosts }: PackageJobDeps) =>
  async (context: Context): Promise<Partial<RestoreResults>> => {
    const { input, stepResults, signal } = context
    const row = await packages.get(input.packageUuid)
    const { row: host, driver } = await hosts.usable(row.hostUuid ?? '')
    if (await hasUnpacked(driver, row, signal)) return {}
    const { softwareName, version, unzipInstallPath, installPath } = row
    // the archive of a package on backup storage is not on the host
    if (input.origin === null || row.backupStorageUuid !== null)
      throw missingVersion(host, `${softwareName} ${version}`)
    context.log('the host no longer has the version as it was unpacked; it is sent again')
    if (unzipInstallPath !== null) {
      await driver.remove(unzipInstallPath, { signal })
      await driver.remove(installPath, { signal })
    }
    return { ...(await run({ ...context, stepResults: { ...stepResults, isSent: true } })), isSent: true }
  }

/** In the commit that ends a failed job: a record remains only where its files may remain. */
async function recordFailed(context: Context, tx: Tx, result: JobFailure, deps: PackageJobDeps): Promise<void> {
  const { packages } = deps
  const { packageUuid } = context.input
  await recordRestored(context, tx, result, deps)
  const row = await packages.find(packageUuid, tx)
  if (row === undefined) return
  const wasSent = isSent(context) || row.unzipInstallPath === null
  const isLeft = result.undoFailures.some(({ step: name }) =>
    wasSent ? name !== 'install' && name !== 'uninstall' : name === 'install',
  )
  if (wasSent && !isLeft) await packages.remove(tx, packageUuid)
  else await packages.update(tx, packageUuid, { upgradeLock: null, status: isLeft ? 'InstallFailed' : 'Uploaded' })
}
