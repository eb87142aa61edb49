import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { forEachName } from '../../for-each-name.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve-record.ts'
import { jobOptions, runOperation } from '../../run-operation.ts'
import { readConfig } from './read-config.ts'

export const install = command({
  name: 'install',
  summary: 'Run the installer of an uploaded package on its host',
  arguments: { '<package...>': { help: 'names or uuids', names: 'softwarePackages' } },
  options: {
    '--config <json>': { help: 'JSON for the installer; @file reads a file, @- reads stdin' },
    '--host <name>': { help: 'target host, for a package on backup storage', names: 'hosts' },
    ...jobOptions,
  },
  examples: [
    `package install hello --config '{"greeting": "ahoy"}'`,
    'package install hello --config @hello.json --log',
    'package install hello exporter --async',
  ],
  async run(cli, { package: names }, { config, host, ...jobFlags }) {
    const given = await readConfig(cli, config)
    const { installSoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    const configText = await withHost(cli, given, host)
    await forEachName(cli, names, {
      find: (name) => resolveRecord(wharf, 'softwarePackages', name),
      async act({ uuid, name }) {
        const input = { uuid, config: configText }
        const flags = { ...jobFlags, label: `Installing ${name}` }
        if ((await runOperation(cli, installSoftwarePackage, input, flags)) === undefined) return undefined
        return { message: `Installed ${name}.`, data: await wharf.softwarePackages.one(uuid) }
      },
    })
  },
})

/** Adds the host to the configuration, which the schema of the package checks. */
async function withHost(cli: Cli, text: string | undefined, host: string | undefined): Promise<string | undefined> {
  if (host === undefined) return text
  const config: unknown = JSON.parse(text ?? '{}')
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new UsageError('with --host, --config must be a JSON object')
  return JSON.stringify({ ...config, hostUuid: await resolveUuid(await cli.wharf(), 'hosts', host) })
}
