import { command } from '../../command.ts'
import { forEachName } from '../../for-each-name.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { resolveRelease } from '../release/resolve-release.ts'
import { readConfig } from './read-config.ts'
import { hostOption, resolveInstalled } from './resolve-installed.ts'

export const upgrade = command({
  name: 'upgrade',
  summary: 'Replace an installed package by a release; a failure restores the earlier version',
  more: 'Without --config the new version is installed with the configuration of the old one.',
  arguments: { '<package...>': { help: 'names or uuids', names: 'softwarePackages' } },
  options: {
    '--to <release>': { help: 'NAME@VERSION, NAME for the latest, or uuid', names: 'releases', required: true },
    '--config <json>': { help: 'JSON for the new version; @file reads a file, @- reads stdin' },
    ...hostOption,
    ...jobOptions,
  },
  examples: [
    'package upgrade hello --to hello@1.1.0',
    'package upgrade hello --to hello --host web-1 --config @hello.json',
  ],
  async run(cli, { package: names }, { to, config, host, ...jobFlags }) {
    const given = await readConfig(cli, config)
    const { upgradeSoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    const { uuid: releaseUuid, version } = await resolveRelease(wharf, to)
    await forEachName(cli, names, {
      find: (name) => resolveInstalled(wharf, name, host),
      async act({ uuid, name, version: earlier }) {
        const input = { uuid, releaseUuid, ...(given === undefined ? {} : { config: given }) }
        const flags = { ...jobFlags, label: `Upgrading ${name} to ${version}` }
        const answer = await runOperation(cli, upgradeSoftwarePackage, input, flags)
        if (answer === undefined) return undefined
        const { inventory } = answer
        const message =
          inventory.uuid === uuid
            ? `${name} has ${version} already; nothing was changed.`
            : `Upgraded ${name} from ${earlier ?? 'its version'} to ${version}.`
        return { message, data: inventory }
      },
    })
  },
})
