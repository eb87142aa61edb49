import type { Wharf } from '@wharf/sdk'
import { type CommandSpec, command } from './command.ts'
import { kindOf, type NamedKind, withArticle } from './names/record-kinds.ts'
import { type FoundRecord, resolveRecord } from './names/resolve-record.ts'
import { printRecord } from './print-record.ts'

interface ShowDeclaration {
  readonly path: string
  readonly example: string
  readonly summary?: string
  /** Further fields of the table, such as the reason of a failure. */
  readonly describe?: (wharf: Wharf, record: FoundRecord) => Promise<object>
}

export function showCommand(kind: NamedKind, { path, example, summary, describe }: ShowDeclaration): CommandSpec {
  const { noun, field } = kindOf(kind)
  return command({
    name: 'show',
    summary: summary ?? `Show all fields of ${withArticle(noun)}`,
    arguments: { '<name>': { help: 'name or uuid', names: kind } },
    examples: [`${path} show ${example}`, `${path} show ${example} -o yaml`],
    async run(cli, { name }) {
      const wharf = await cli.wharf()
      const record = await resolveRecord(wharf, kind, name)
      await printRecord(cli, record, { nameField: field, describe: () => describe?.(wharf, record) })
    },
  })
}
