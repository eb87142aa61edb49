import type { PackageStatus } from '@wharf/contract'
import { command } from '../../command.ts'
import { confirm, yesOption } from '../../confirm.ts'
import { deletedResult, deleteModeOf, forceOption } from '../../delete-command.ts'
import { forEachName } from '../../for-each-name.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { deleteVerbs } from '../../verbs.ts'

const inUse: readonly string[] = ['Installed', 'Initialized', 'InitializeFailed'] satisfies PackageStatus[]

export const deletePackage = command({
  ...deleteVerbs('delete'),
  summary: 'Delete a package and its files',
  arguments: { '<package...>': { help: 'names or uuids', names: 'softwarePackages' } },
  more: 'Prompts for confirmation if the package is installed; uninstall it first.',
  options: { ...yesOption, ...forceOption, ...jobOptions },
  examples: ['package delete hello', 'package delete hello exporter --yes'],
  async run(cli, { package: names }, { yes, force, ...jobFlags }) {
    const { deleteSoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      async find(name) {
        const record = await resolveRecord(wharf, 'softwarePackages', name)
        if (inUse.includes(String(record.status)))
          await confirm(cli, {
            fact: `package ${record.name} is ${record.status}`,
            loss: 'Its files are deleted and its uninstaller does not run; wharf package uninstall runs it',
            yes,
          })
        return record
      },
      async act({ uuid, name }) {
        const input = { uuid, ...deleteModeOf(force) }
        const answer = await runOperation(cli, deleteSoftwarePackage, input, { ...jobFlags, label: `Deleting ${name}` })
        return answer && deletedResult(uuid, name)
      },
    })
  },
})
