import type { Wharf } from '@wharf/sdk'
import { type CommandSpec, command, type OptionSpecs } from './command.ts'
import { forEachName, type NameResult } from './for-each-name.ts'
import { kindOf, type NamedKind } from './names/record-kinds.ts'
import { resolveRecord } from './names/resolve-record.ts'
import { type DeleteVerb, deleteVerbs } from './verbs.ts'

export const forceOption = {
  '--force': { help: 'delete even if the record is in use, for example by a running job' },
} as const satisfies OptionSpecs

export const deleteModeOf = (force: boolean | undefined): { deleteMode?: 'Enforcing' } =>
  force ? { deleteMode: 'Enforcing' } : {}

export const deletedResult = (uuid: string, name: unknown, verb: DeleteVerb = 'delete'): NameResult => ({
  message: `${verb === 'delete' ? 'Deleted' : 'Removed'} ${name}.`,
  data: { uuid, deleted: true },
})

type Deletable = { delete(uuid: string, fields: object): Promise<unknown> }
type DeletedKind = Exclude<
  NamedKind,
  'softwarePackages' | 'clusterPlugins' | 'managementNodes' | 'jobs' | 'alerts' | 'deliveries' | 'sessions'
>

interface DeleteDeclaration {
  readonly path: string
  readonly summary: string
  readonly examples: readonly [string, string]
  readonly verb?: DeleteVerb
}

/** For records whose deletion is not a job. */
export function deleteCommand(
  kind: DeletedKind,
  { path, summary, examples: [first, second], verb = 'delete' }: DeleteDeclaration,
): CommandSpec {
  const { field, noun } = kindOf(kind)
  return command({
    ...deleteVerbs(verb),
    summary,
    arguments: { '<name...>': { help: `names or uuids of the ${noun}`, names: kind } },
    options: forceOption,
    examples: [`${path} ${verb} ${first}`, `${path} ${verb} ${first} ${second}`],
    async run(cli, { name: names }, { force }) {
      const wharf: Wharf = await cli.wharf()
      await forEachName(cli, names, {
        find: (name) => resolveRecord(wharf, kind, name),
        async act(record) {
          await (wharf[kind] as unknown as Deletable).delete(record.uuid, deleteModeOf(force))
          return deletedResult(record.uuid, record[field], verb)
        },
      })
    },
  })
}
