import { uninstallSoftwarePackage } from '@wharf/contract'
import { type JobContext, job, step } from '../../../jobs/definition.ts'
import { manifestOf } from '../configuration.ts'
import { expectedFiles } from '../hook-files.ts'
import { folderOf, runHook } from '../hooks.ts'
import { shownPackage } from '../shown-package.ts'
import { leaveHost } from './install.ts'
import type { JobParts } from './receiving.ts'

interface Input {
  readonly packageUuid: string
}

/** The status stays as it is until all of it is done. */
export const uninstallJob = (parts: JobParts) =>
  job<typeof uninstallSoftwarePackage, Input>(
    uninstallSoftwarePackage,
    [
      step('run', (context) => run(context, parts), {
        undo: ({ input, signal }) => parts.packages.endEarlierHooks(input.packageUuid, { signal }),
        weight: 5,
      }),
      step('withdraw', async (context) => {
        const row = await parts.packages.get(context.input.packageUuid)
        await parts.packages.kindOf(row)?.uninstall(context, row)
      }),
      step('leave', async ({ input, write, signal }) =>
        leaveHost(await parts.packages.get(input.packageUuid), parts, { write, signal }),
      ),
    ],
    async ({ input }, tx) => {
      await parts.packages.update(tx, input.packageUuid, { status: 'Uploaded', sealedCluster: null })
      return { inventory: shownPackage(await parts.packages.get(input.packageUuid, tx)) }
    },
  )

async function run(context: JobContext<Input>, parts: JobParts): Promise<void> {
  const row = await parts.packages.get(context.input.packageUuid)
  const hook = manifestOf(row).uninstall
  // a package from backup storage whose installation failed may not have got as far as a host
  if (hook === undefined || row.hostUuid === null) return
  const { driver } = await parts.hosts.usable(row.hostUuid)
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
