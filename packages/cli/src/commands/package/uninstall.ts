import { command } from '../../command.ts'
import { resolveRecord } from '../../names/resolve.ts'
import { perform, waitingOptions } from '../../waiting.ts'

export const uninstall = command({
  name: 'uninstall',
  summary: 'Run the uninstaller of a package on its host; the package itself stays there',
  arguments: { '<package>': { help: 'its name or uuid', names: 'softwarePackages' } },
  options: waitingOptions,
  examples: ['package uninstall hello'],
  async run(cli, { package: name }, waiting) {
    const { uninstallSoftwarePackage } = await import('@wharf/contract')
    const { uuid, name: known } = await resolveRecord(await cli.wharf(), 'softwarePackages', name)
    const answer = await perform(
      cli,
      uninstallSoftwarePackage,
      { uuid },
      { ...waiting, label: `Uninstalling ${known}` },
    )
    if (answer === undefined) return
    cli.say(`${known} is uninstalled.`)
    if (cli.out.form !== 'table') cli.out.record(answer.inventory)
  },
})
