import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { type CommandSpec, command } from './command.ts'
import { kindOf, type NamedKind, withArticle } from './names/record-kinds.ts'
import { withNames } from './names/reference-names.ts'
import { type FoundRecord, resolveRecord } from './names/resolve-record.ts'

interface ShowDeclaration {
  readonly path: string
  readonly example: string
  readonly summary?: string
  /** Further fields of the table, such as the reason of a failure. */
  readonly describe?: (wharf: Wharf, record: FoundRecord) => Promise<object>
}

/** Tables show names in place of uuids; other forms contain the fields of the API. */
async function showRecord(
  cli: Cli,
  kind: NamedKind,
  record: FoundRecord,
  describe?: ShowDeclaration['describe'],
): Promise<void> {
  const { field } = kindOf(kind)
  if (!cli.out.isTable) return cli.out.record(record, field)
  const wharf = await cli.wharf()
  cli.out.record({ ...(await withNames(wharf, record)), ...(await describe?.(wharf, record)) }, field)
}

export function showCommand(kind: NamedKind, { path, example, summary, describe }: ShowDeclaration): CommandSpec {
  const { noun } = kindOf(kind)
  return command({
    name: 'show',
    summary: summary ?? `Show all fields of ${withArticle(noun)}`,
    arguments: { '<name>': { help: 'name or uuid', names: kind } },
    examples: [`${path} show ${example}`, `${path} show ${example} -o yaml`],
    async run(cli, { name }) {
      await showRecord(cli, kind, await resolveRecord(await cli.wharf(), kind, name), describe)
    },
  })
}
