import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { type CommandSpec, command, type OptionSpecs } from './command.ts'
import { kindOf, type NamedKind } from './names/kinds.ts'
import { resolveRecord } from './names/resolve.ts'
import type { Columns } from './output/output.ts'
import { UsageError } from './refusals.ts'

export const listOptions = {
  '--query <condition>': { help: 'only those that match, such as state=Enabled (docs/query.md)', repeated: true },
  '--sort <field>': { help: '+field or -field' },
  '--limit <count>': { help: 'at most so many' },
} as const satisfies OptionSpecs

export interface ListChoice {
  readonly query?: readonly string[]
  readonly sort?: string
  readonly limit?: string
  /** When --limit is absent, for records that nobody wants all of. */
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

/** Every record that matches, or the first so many. */
export async function listRecords(
  cli: Cli,
  group: keyof Wharf,
  { query = [], sort, limit, defaultLimit }: ListChoice,
  columns: Columns,
  nothing: string,
): Promise<void> {
  const collection = (await cli.wharf())[group] as unknown as Collection
  const page = { q: query, ...(sort === undefined ? {} : { sort }) }
  const count = countOf(limit)
  if (count !== undefined)
    return show(cli, (await collection.query({ ...page, limit: count })).inventories ?? [], columns, nothing)
  if (defaultLimit !== undefined) {
    const answer = await collection.query({ ...page, limit: defaultLimit, replyWithCount: true })
    show(cli, answer.inventories ?? [], columns, nothing)
    return reportCut(cli, answer, '--limit COUNT')
  }
  if (cli.out.form === 'ndjson') {
    for await (const record of collection.all(page)) cli.out.item(record, '')
    return
  }
  show(cli, await Array.fromAsync(collection.all(page)), columns, nothing)
}

function show(cli: Cli, records: readonly object[], columns: Columns, nothing: string): void {
  cli.out.list(records, columns)
  if (records.length === 0) cli.say(nothing)
}

/** A list that nobody has limited must not look complete. */
export function reportCut(
  cli: Cli,
  { inventories = [], total = 0 }: { inventories?: readonly object[]; total?: number },
  more: string,
): void {
  const number = (count: number): string => count.toLocaleString('en')
  if (total > inventories.length)
    cli.say(`Showing ${number(inventories.length)} of ${number(total)}; ${more} shows more.`)
}

const maxCount = 10_000

export function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > maxCount)
    throw new UsageError(`--limit takes a number from 1 to ${maxCount}, not ${text}`)
  return count
}

interface Listed {
  /** The word before `list` in the examples. */
  readonly path: string
  readonly plural: string
  readonly columns: Columns
  readonly sort?: string
  readonly example?: string
}

export function listCommand(kind: NamedKind, { path, plural, columns, sort, example }: Listed): CommandSpec {
  const examples: [string, ...string[]] = [`${path} list`]
  if (example !== undefined) examples.push(`${path} list ${example}`)
  return command({
    name: 'list',
    summary: `List ${plural}`,
    options: listOptions,
    examples,
    run: (cli, _, choice) =>
      listRecords(cli, kind, { sort: sort ?? `+${kindOf(kind).field}`, ...choice }, columns, `There are no ${plural}.`),
  })
}

export function showCommand(kind: NamedKind, path: string, example: string): CommandSpec {
  const { noun } = kindOf(kind)
  return command({
    name: 'show',
    summary: `Show everything about one ${noun}`,
    arguments: { '<name>': { help: 'its name or uuid', names: kind } },
    examples: [`${path} show ${example}`, `${path} show ${example} --json`],
    async run(cli, { name }) {
      cli.out.record(await resolveRecord(await cli.wharf(), kind, name))
    },
  })
}
