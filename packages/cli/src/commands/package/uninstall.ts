import { command } from '../../command.ts'
import { resolveRecord } from '../../names/resolve-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'

export const uninstall = command({
  name: 'uninstall',
  summary: 'Run the uninstaller of a package on its host; keeps the package',
  arguments: { '<package>': { help: 'name or uuid', names: 'softwarePackages' } },
  options: jobOptions,
  examples: ['package uninstall hello'],
  async run(cli, { package: name }, jobFlags) {
    const { uninstallSoftwarePackage } = await import('@wharf/contract')
    const { uuid, name: known } = await resolveRecord(await cli.wharf(), 'softwarePackages', name)
    const answer = await runOperation(
      cli,
      uninstallSoftwarePackage,
      { uuid },
      { ...jobFlags, label: `Uninstalling ${known}` },
    )
    if (answer === undefined) return
    cli.report(`Uninstalled ${known}.`, answer.inventory)
  },
})
