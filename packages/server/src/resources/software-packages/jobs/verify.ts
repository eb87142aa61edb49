import { verifySoftwarePackage } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { jobSubject, manifestOf } from '../configuration.ts'
import { expectedFiles } from '../hook-files.ts'
import { folderOf, runHook } from '../hooks.ts'
import { secretsOf } from '../kept-configuration.ts'
import { getAuthorisedHost } from '../package-hosts.ts'
import { shownPackage } from '../shown-package.ts'
import type { PackageJobDeps } from './package-job-deps.ts'
import { requireKeptConfig } from './prepare-upgrade.ts'

interface Input {
  readonly packageUuid: string
}

/** The failure of a verify hook is the failure of the job; the health of the package is stored in both cases. */
export const verifyJob = (deps: PackageJobDeps): JobOperation<typeof verifySoftwarePackage, Input> => ({
  operation: verifySoftwarePackage,
  async start(call, enqueue) {
    const { packages, hosts } = deps
    return call.commit(async (tx) => {
      const row = await packages.get(call.path.uuid, tx)
      const host = await getAuthorisedHost(call, row, deps, tx)
      packages.requireStatus(row, 'verify')
      if (manifestOf(row).verify) requireKeptConfig(row, deps)
      if (host) hosts.refuseUnusable(host)
      const { managementNodeUuid } = host ?? {}
      return enqueue(tx, { subject: jobSubject(row), host, input: { packageUuid: row.uuid }, managementNodeUuid })
    })
  },
  steps: [step('verify', (context) => verify(context, deps))],
  succeeded: async ({ input }, tx) => ({ inventory: shownPackage(await deps.packages.get(input.packageUuid, tx)) }),
})

async function verify(context: JobContext<Input>, { packages, hosts }: PackageJobDeps): Promise<void> {
  const row = await packages.get(context.input.packageUuid)
  const hook = manifestOf(row).verify
  if (hook === undefined) return context.log('the package has no verify hook, so its health stays Unknown')
  const { config } = packages.configs.open(row) ?? { config: {} }
  for (const secret of secretsOf(row, config)) context.conceal(secret)
  const { driver } = await hosts.usable(row.hostUuid ?? '')
  const files = expectedFiles(row, hook.run)
  const record = (health: 'Healthy' | 'Unhealthy', error?: ApiError) =>
    context.write(async (tx) => packages.recordHealth(tx, await packages.get(row.uuid, tx), health, error))
  try {
    const input = { config }
    await runHook(context, { driver, hook, name: 'verify', folder: folderOf(row), input, files, subject: row.uuid })
  } catch (error) {
    if (isUnhealthy(error, context.signal)) await record('Unhealthy', error)
    throw error
  }
  await record('Healthy')
}

/** The hook failed or took too long; a lost connection or a cancelled job shows nothing about the package. */
export const isUnhealthy = (error: unknown, { aborted }: AbortSignal): error is ApiError =>
  !aborted && error instanceof ApiError && (error.code === 'SoftwarePackage.1300' || error.code === 'SYS.1001')
