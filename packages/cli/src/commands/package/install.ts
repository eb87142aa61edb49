import type { Cli } from '../../cli.ts'
import { command } from '../../command.ts'
import { givenText } from '../../given-text.ts'
import { parseJson } from '../../json-text.ts'
import { resolveRecord, resolveUuid } from '../../names/resolve.ts'
import { UsageError } from '../../refusals.ts'
import { perform, waitingOptions } from '../../waiting.ts'

export const install = command({
  name: 'install',
  summary: 'Run the installer of an uploaded package on its host',
  arguments: { '<package>': { help: 'its name or uuid', names: 'softwarePackages' } },
  options: {
    '--config <json>': { help: 'JSON for the installer; @file reads a file, @- standard input' },
    '--host <name>': { help: 'the host, for a package that lies on backup storage', names: 'hosts' },
    ...waitingOptions,
  },
  examples: [
    `package install hello --config '{"greeting": "ahoy"}'`,
    'package install hello --config @hello.json --log',
    'package install hello --async',
  ],
  async run(cli, { package: name }, { config, host, ...waiting }) {
    const given = await configOf(cli, config)
    const { installSoftwarePackage } = await import('@wharf/contract')
    const wharf = await cli.wharf()
    const { uuid, name: known } = await resolveRecord(wharf, 'softwarePackages', name)
    const input = { uuid, config: await onHost(cli, given, host) }
    const answer = await perform(cli, installSoftwarePackage, input, { ...waiting, label: `Installing ${known}` })
    if (answer === undefined) return
    const record = await wharf.softwarePackages.one(uuid)
    cli.say(`${known} is installed.`)
    if (cli.out.form !== 'table') cli.out.record(record)
  },
})

async function configOf(cli: Cli, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined
  const text = await givenText(cli, given)
  parseJson(given.startsWith('@') ? `--config ${given}` : '--config', text)
  return text
}

/** The host is named in the configuration, which the package's own schema checks. */
async function onHost(cli: Cli, text: string | undefined, host: string | undefined): Promise<string | undefined> {
  if (host === undefined) return text
  const config: unknown = JSON.parse(text ?? '{}')
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    throw new UsageError('with --host, --config must be a JSON object')
  return JSON.stringify({ ...config, hostUuid: await resolveUuid(await cli.wharf(), 'hosts', host) })
}
