import { rollBackSoftwarePackage } from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { jobSubject } from '../configuration.ts'
import { getAuthorisedHost } from '../package-hosts.ts'
import { shownPackage } from '../shown-package.ts'
import type { PackageRow } from '../store.ts'
import { isRestorable, upgradeLockOf } from '../versions.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import { requireKeptConfig } from './prepare-upgrade.ts'
import {
  describeReplacementFailure,
  type Replacement,
  type ReplacementResults,
  recordReplaced,
  recordRestored,
  replacementSteps,
} from './replace-version.ts'

/** The previous version is still on the host, so nothing is sent. */
export const rollBackJob = (
  deps: PackageJobDeps,
): JobOperation<typeof rollBackSoftwarePackage, Replacement, ReplacementResults> => ({
  operation: rollBackSoftwarePackage,
  async start(call, enqueue) {
    const { packages, hosts } = deps
    return call.commit(async (tx) => {
      const current = await packages.get(call.path.uuid, tx)
      const host = await getAuthorisedHost(call, current, deps, tx)
      packages.requireStatus(current, 'roll back')
      await packages.refuseReferenced(tx, current, 'SYS.1006')
      const previous = await previousOf(tx, current, deps)
      if (host) hosts.refuseUnusable(host)
      requireKeptConfig(current, deps)
      const input = await prepareRollback(tx, { current, previous, hostName: host?.name ?? '' }, deps)
      const { managementNodeUuid } = host ?? {}
      const subject = { ...jobSubject(previous), uuid: current.uuid }
      return enqueue(tx, { subject, relatedUuid: previous.uuid, host, input, managementNodeUuid })
    })
  },
  steps: replacementSteps<Replacement, ReplacementResults>(deps),
  succeeded: async (context, tx) => ({ inventory: shownPackage(await recordReplaced(context, tx, deps)) }),
  async failed(context, tx, result) {
    await recordRestored(context, tx, result, deps)
    const isLeft = result.undoFailures.some(({ step }) => step === 'install')
    const status = isLeft ? 'InstallFailed' : 'Uploaded'
    await deps.packages.update(tx, context.input.packageUuid, { upgradeLock: null, status })
  },
  describeFailure: describeReplacementFailure,
})

async function previousOf(tx: Tx, current: PackageRow, { packages, jobs }: PackageJobDeps): Promise<PackageRow> {
  const previous = current.previousUuid === null ? undefined : await packages.find(current.previousUuid, tx)
  if (previous === undefined || !isRestorable(previous, current))
    throw new ApiError(
      'SYS.1006',
      `software package ${current.name} has no previous version on its host to roll back to; upgrade it to the release that you want instead`,
    )
  await jobs.refuseBusy(tx, previous.uuid)
  return previous
}

interface Versions {
  readonly current: PackageRow
  readonly previous: PackageRow
  readonly hostName: string
}

/** In the commit that enqueues the job: no other job uses the previous version. */
async function prepareRollback(
  tx: Tx,
  { current, previous, hostName }: Versions,
  { packages }: PackageJobDeps,
): Promise<Replacement> {
  const lock = upgradeLockOf(current.hostUuid ?? '', current.softwareName ?? '')
  await packages.lockVersion(tx, previous, lock, { status: 'Installing' })
  return {
    packageUuid: previous.uuid,
    config: (packages.configs.open(previous) ?? { config: {} }).config,
    fromUuid: current.uuid,
    fromName: `${current.softwareName} ${current.version} on host ${hostName}`,
    isUpgrade: false,
  }
}
