import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { type CommandSpec, command, type OptionSpecs } from './command.ts'
import { kindOf, type NamedKind } from './names/kinds.ts'
import { resolveRecord } from './names/resolve.ts'

export const forceOption = {
  '--force': { help: 'also when something stands in the way, such as a job that still runs' },
} as const satisfies OptionSpecs

export const modeOf = (force: boolean | undefined): { deleteMode?: 'Enforcing' } =>
  force ? { deleteMode: 'Enforcing' } : {}

export function tellDeleted(cli: Cli, uuid: string, name: unknown): void {
  cli.say(`${name} is deleted.`)
  if (cli.out.form !== 'table') cli.out.record({ uuid, deleted: true })
}

type Deletable = { delete(uuid: string, fields: object): Promise<unknown> }

/** For records whose deletion is no job. */
export function deleteCommand(
  kind: Exclude<NamedKind, 'softwarePackages' | 'clusterPlugins' | 'managementNodes' | 'jobs'>,
  path: string,
  { summary, example }: { summary: string; example: string },
): CommandSpec {
  const { field, noun } = kindOf(kind)
  return command({
    name: 'delete',
    summary,
    arguments: { '<name>': { help: `the ${noun}: its name or uuid`, names: kind } },
    options: forceOption,
    examples: [`${path} delete ${example}`],
    async run(cli, { name }, { force }) {
      const wharf: Wharf = await cli.wharf()
      const record = await resolveRecord(wharf, kind, name)
      await (wharf[kind] as unknown as Deletable).delete(record.uuid, modeOf(force))
      tellDeleted(cli, record.uuid, record[field])
    },
  })
}
