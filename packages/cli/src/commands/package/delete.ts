import { command } from '../../command.ts'
import { forceOption, modeOf, tellDeleted } from '../../deleting.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { perform, waitingOptions } from '../../waiting.ts'

export const deletePackage = command({
  name: 'delete',
  summary: 'Delete a package and its files',
  arguments: { '<package>': { help: 'its name or uuid', names: 'softwarePackages' } },
  options: { ...forceOption, ...waitingOptions },
  examples: ['package delete hello', 'package delete hello --force'],
  async run(cli, { package: name }, { force, ...waiting }) {
    const { deleteSoftwarePackage } = await import('@wharf/contract')
    const { uuid, name: known } = await resolveRecord(await cli.wharf(), 'softwarePackages', name)
    const input = { uuid, ...modeOf(force) }
    const answer = await perform(cli, deleteSoftwarePackage, input, { ...waiting, label: `Deleting ${known}` })
    if (answer !== undefined) tellDeleted(cli, uuid, known)
  },
})
