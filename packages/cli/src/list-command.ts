import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { type CommandSpec, command, type OptionSpecs } from './command.ts'
import { kindOf, type NamedKind, withArticle } from './names/record-kinds.ts'
import { resolveRecord } from './names/resolve-record.ts'
import { parseLimit } from './option-values.ts'
import type { Columns } from './output/output.ts'

export const listOptions = {
  '--query <condition>': { help: 'filter, such as state=Enabled; repeatable (docs/query.md)', repeated: true },
  '--sort <field>': { help: 'sort by +field (ascending) or -field (descending)' },
  '--limit <count>': { help: 'maximum number of records' },
} as const satisfies OptionSpecs

export interface ListFlags {
  readonly query?: readonly string[]
  readonly sort?: string
  readonly limit?: string
  /** The limit without --limit, for large collections. */
  readonly defaultLimit?: number
}

interface Page {
  q: readonly string[]
  sort?: string
  limit?: number
  replyWithCount?: boolean
}

interface Collection {
  query(page: Page): Promise<{ inventories?: readonly object[]; total?: number }>
  all(page: Page): AsyncIterable<object>
}

/** Prints the matching records. */
export async function listRecords(
  cli: Cli,
  group: keyof Wharf,
  { query = [], sort, limit, defaultLimit }: ListFlags,
  columns: Columns,
  emptyMessage: string,
): Promise<void> {
  const collection = (await cli.wharf())[group] as unknown as Collection
  const page = { q: query, ...(sort === undefined ? {} : { sort }) }
  const count = parseLimit(limit)
  if (count !== undefined)
    return show(cli, (await collection.query({ ...page, limit: count })).inventories ?? [], columns, emptyMessage)
  if (defaultLimit !== undefined) {
    const answer = await collection.query({ ...page, limit: defaultLimit, replyWithCount: true })
    show(cli, answer.inventories ?? [], columns, emptyMessage)
    return reportTruncation(cli, answer, '--limit COUNT')
  }
  if (cli.out.form === 'ndjson') {
    for await (const record of collection.all(page)) cli.out.item(record, '')
    return
  }
  show(cli, await Array.fromAsync(collection.all(page)), columns, emptyMessage)
}

function show(cli: Cli, records: readonly object[], columns: Columns, emptyMessage: string): void {
  cli.out.list(records, columns)
  if (records.length === 0) cli.info(emptyMessage)
}

/** A list that a default limit truncates must not look complete. */
export function reportTruncation(
  cli: Cli,
  { inventories = [], total = 0 }: { inventories?: readonly object[]; total?: number },
  option: string,
): void {
  const number = (count: number): string => count.toLocaleString('en')
  if (total > inventories.length)
    cli.info(`Showing ${number(inventories.length)} of ${number(total)}; use ${option} for more.`)
}

interface ListDeclaration {
  /** The command before `list` in the examples. */
  readonly path: string
  readonly plural: string
  readonly columns: Columns
  readonly sort?: string
  readonly example?: string
}

export function listCommand(kind: NamedKind, { path, plural, columns, sort, example }: ListDeclaration): CommandSpec {
  const examples: [string, ...string[]] = [`${path} list`]
  if (example !== undefined) examples.push(`${path} list ${example}`)
  return command({
    name: 'list',
    summary: `List ${plural}`,
    options: listOptions,
    examples,
    run: (cli, _, flags) =>
      listRecords(cli, kind, { sort: sort ?? `+${kindOf(kind).field}`, ...flags }, columns, `No ${plural}.`),
  })
}

export function showCommand(kind: NamedKind, path: string, example: string): CommandSpec {
  const { noun } = kindOf(kind)
  return command({
    name: 'show',
    summary: `Show all fields of ${withArticle(noun)}`,
    arguments: { '<name>': { help: 'name or uuid', names: kind } },
    examples: [`${path} show ${example}`, `${path} show ${example} --json`],
    async run(cli, { name }) {
      cli.out.record(await resolveRecord(await cli.wharf(), kind, name))
    },
  })
}
