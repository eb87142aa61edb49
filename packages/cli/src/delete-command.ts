import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { type CommandSpec, command, type OptionSpecs } from './command.ts'
import { kindOf, type NamedKind } from './names/record-kinds.ts'
import { resolveRecord } from './names/resolve-record.ts'

export const forceOption = {
  '--force': { help: 'delete even if the record is in use, for example by a running job' },
} as const satisfies OptionSpecs

export const deleteModeOf = (force: boolean | undefined): { deleteMode?: 'Enforcing' } =>
  force ? { deleteMode: 'Enforcing' } : {}

export function reportDeleted(cli: Cli, uuid: string, name: unknown): void {
  cli.report(`Deleted ${name}.`, { uuid, deleted: true })
}

type Deletable = { delete(uuid: string, fields: object): Promise<unknown> }

/** For records whose deletion is not a job. */
export function deleteCommand(
  kind: Exclude<NamedKind, 'softwarePackages' | 'clusterPlugins' | 'managementNodes' | 'jobs'>,
  path: string,
  { summary, example }: { summary: string; example: string },
): CommandSpec {
  const { field, noun } = kindOf(kind)
  return command({
    name: 'delete',
    summary,
    arguments: { '<name>': { help: `name or uuid of the ${noun}`, names: kind } },
    options: forceOption,
    examples: [`${path} delete ${example}`],
    async run(cli, { name }, { force }) {
      const wharf: Wharf = await cli.wharf()
      const record = await resolveRecord(wharf, kind, name)
      await (wharf[kind] as unknown as Deletable).delete(record.uuid, deleteModeOf(force))
      reportDeleted(cli, record.uuid, record[field])
    },
  })
}
