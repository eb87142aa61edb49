import type { PackageStatus } from '@wharf/contract'
import { command } from '../../command.ts'
import { confirm, yesOption } from '../../confirm.ts'
import { deleteModeOf, forceOption, reportDeleted } from '../../delete-command.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

const inUse: readonly string[] = ['Installed', 'Initialized', 'InitializeFailed'] satisfies PackageStatus[]

export const deletePackage = command({
  name: 'delete',
  summary: 'Delete a package and its files',
  arguments: { '<package>': { help: 'name or uuid', names: 'softwarePackages' } },
  more: 'Prompts for confirmation if the package is installed; uninstall it first.',
  options: { ...yesOption, ...forceOption, ...jobOptions },
  examples: ['package delete hello', 'package delete hello --yes'],
  async run(cli, { package: name }, { yes, force, ...jobFlags }) {
    const { deleteSoftwarePackage } = await import('@wharf/contract')
    const { uuid, name: known, status } = await resolveRecord(await cli.wharf(), 'softwarePackages', name)
    if (inUse.includes(String(status)))
      await confirm(cli, {
        fact: `package ${known} is ${status}`,
        loss: 'Its files are deleted and its uninstaller does not run; wharf package uninstall runs it',
        yes,
      })
    const input = { uuid, ...deleteModeOf(force) }
    const answer = await runOperation(cli, deleteSoftwarePackage, input, { ...jobFlags, label: `Deleting ${known}` })
    if (answer !== undefined) reportDeleted(cli, uuid, known)
  },
})
