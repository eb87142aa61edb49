import { command } from '../../command.ts'
import { forEachName } from '../../for-each-name.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

export const uninstall = command({
  name: 'uninstall',
  summary: 'Run the uninstaller of a package on its host; keeps the package',
  arguments: { '<package...>': { help: 'names or uuids', names: 'softwarePackages' } },
  options: jobOptions,
  examples: ['package uninstall hello', 'package uninstall hello exporter'],
  async run(cli, { package: names }, jobFlags) {
    const { uninstallSoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveRecord(wharf, 'softwarePackages', name),
      async act({ uuid, name }) {
        const flags = { ...jobFlags, label: `Uninstalling ${name}` }
        const answer = await runOperation(cli, uninstallSoftwarePackage, { uuid }, flags)
        return answer && { message: `Uninstalled ${name}.`, data: answer.inventory }
      },
    })
  },
})
