import { command } from '../../command.ts'
import { forEachName } from '../../for-each-name.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { hostOption, resolveInstalled } from './resolve-installed.ts'

export const rollback = command({
  name: 'rollback',
  summary: 'Install the previous version of a package on its host again, with its configuration',
  arguments: { '<package...>': { help: 'names or uuids', names: 'softwarePackages' } },
  options: { ...hostOption, ...jobOptions },
  examples: ['package rollback hello', 'package rollback hello --host web-1'],
  async run(cli, { package: names }, { host, ...jobFlags }) {
    const { rollBackSoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    await forEachName(cli, names, {
      find: (name) => resolveInstalled(wharf, name, host),
      async act({ uuid, name }) {
        const flags = { ...jobFlags, label: `Rolling back ${name}` }
        const answer = await runOperation(cli, rollBackSoftwarePackage, { uuid }, flags)
        return answer && { message: `Rolled ${name} back to ${answer.inventory.version}.`, data: answer.inventory }
      },
    })
  },
})
