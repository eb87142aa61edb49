import { uninstallSoftwarePackage } from '@wharf/contract'
import type { JobOperation } from '../../../calls/job-operation.ts'
import { type JobContext, step } from '../../../jobs/definition.ts'
import { jobSubject, manifestOf } from '../configuration.ts'
import { expectedFiles } from '../hook-files.ts'
import { folderOf, runHook } from '../hooks.ts'
import { notVerified } from '../installations.ts'
import { getAuthorisedHost } from '../package-hosts.ts'
import { shownPackage } from '../shown-package.ts'
import { leaveHost } from './install.ts'
import type { PackageJobDeps } from './package-job-deps.ts'

interface Input {
  readonly packageUuid: string
}

/** The status does not change until the job succeeds. */
export const uninstallJob = (deps: PackageJobDeps): JobOperation<typeof uninstallSoftwarePackage, Input> => ({
  operation: uninstallSoftwarePackage,
  async start(call, enqueue) {
    const { packages, hosts } = deps
    const { uuid } = call.path
    const before = await packages.get(uuid)
    await getAuthorisedHost(call, before, deps)
    const kind = packages.kindOf(before)
    await kind?.removeVanished(before)
    return call.commit(async (tx) => {
      const row = await packages.get(uuid, tx)
      const host = await getAuthorisedHost(call, row, deps, tx)
      packages.requireStatus(row, 'uninstall')
      await kind?.refuseInUse(tx, row, 'uninstall')
      if (row.status === 'Initialized') await packages.refuseReferenced(tx, row, 'SYS.1006')
      if (host) hosts.refuseUnusable(host)
      const { managementNodeUuid } = host ?? {}
      return enqueue(tx, { subject: jobSubject(row), host, input: { packageUuid: uuid }, managementNodeUuid })
    })
  },
  steps: [
    step('run', (context) => run(context, deps), {
      undo: ({ input, signal }) => deps.packages.endEarlierHooks(input.packageUuid, { signal }),
      weight: 5,
    }),
    step('withdraw', async (context) => {
      const row = await deps.packages.get(context.input.packageUuid)
      await deps.packages.kindOf(row)?.uninstall(context, row)
    }),
    step('remove', async ({ input, write, signal }) =>
      leaveHost(await deps.packages.get(input.packageUuid), deps, { write, signal }),
    ),
  ],
  async succeeded({ input }, tx) {
    const uninstalled = { ...notVerified, sealedInstallConfig: null, sealedCluster: null }
    await deps.packages.update(tx, input.packageUuid, { status: 'Uploaded', ...uninstalled })
    return { inventory: shownPackage(await deps.packages.get(input.packageUuid, tx)) }
  },
})

async function run(context: JobContext<Input>, deps: PackageJobDeps): Promise<void> {
  const row = await deps.packages.get(context.input.packageUuid)
  const hook = manifestOf(row).uninstall
  // the installation of a package from backup storage may have failed before it had a host
  if (hook === undefined || row.hostUuid === null) return
  const { driver } = await deps.hosts.usable(row.hostUuid)
  const files = expectedFiles(row, hook.run)
  await runHook(context, {
    driver,
    hook,
    name: 'uninstall',
    folder: folderOf(row),
    input: {},
    files,
    subject: row.uuid,
  })
}
