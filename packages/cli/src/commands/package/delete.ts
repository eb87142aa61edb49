import type { PackageStatus } from '@wharf/contract'
import { command } from '../../command.ts'
import { confirm, yesOption } from '../../confirming.ts'
import { forceOption, modeOf, tellDeleted } from '../../deleting.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { perform, waitingOptions } from '../../waiting.ts'

const inUse: readonly string[] = ['Installed', 'Initialized', 'InitializeFailed'] satisfies PackageStatus[]

export const deletePackage = command({
  name: 'delete',
  summary: 'Delete a package and its files',
  arguments: { '<package>': { help: 'its name or uuid', names: 'softwarePackages' } },
  more: 'One that is installed is deleted after a confirmation only; uninstall it first.',
  options: { ...yesOption, ...forceOption, ...waitingOptions },
  examples: ['package delete hello', 'package delete hello --yes'],
  async run(cli, { package: name }, { yes, force, ...waiting }) {
    const { deleteSoftwarePackage } = await import('@wharf/contract')
    const { uuid, name: known, status } = await resolveRecord(await cli.wharf(), 'softwarePackages', name)
    if (inUse.includes(String(status)))
      await confirm(cli, {
        fact: `package ${known} is ${status}`,
        loss: 'Its files are deleted and its uninstaller does not run; wharf package uninstall runs it',
        yes,
      })
    const input = { uuid, ...modeOf(force) }
    const answer = await perform(cli, deleteSoftwarePackage, input, { ...waiting, label: `Deleting ${known}` })
    if (answer !== undefined) tellDeleted(cli, uuid, known)
  },
})
