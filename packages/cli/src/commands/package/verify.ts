import { command } from '../../command.ts'
import { forEachName } from '../../for-each-name.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { hostOption, resolveInstalled } from './resolve-installed.ts'

export const verify = command({
  name: 'verify',
  summary: 'Run the verify hook of an installed package and store its health',
  arguments: { '<package...>': { help: 'names or uuids', names: 'softwarePackages' } },
  options: { ...hostOption, ...jobOptions },
  examples: ['package verify hello', 'package verify hello exporter'],
  async run(cli, { package: names }, { host, ...jobFlags }) {
    const { verifySoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveInstalled(wharf, name, host),
      async act({ uuid, name }) {
        const flags = { ...jobFlags, label: `Verifying ${name}` }
        const answer = await runOperation(cli, verifySoftwarePackage, { uuid }, flags)
        return answer && { message: `${name} is ${answer.inventory.health}.`, data: answer.inventory }
      },
    })
  },
})
