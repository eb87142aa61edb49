import type { Wharf } from '@wharf/sdk'
import type { Cli } from './cli.ts'
import { type CommandSpec, command, type OptionSpecs } from './command.ts'
import { UsageError } from './errors.ts'
import { kindOf, type NamedKind } from './names/record-kinds.ts'
import { referenceIn, withReferenceNames } from './names/reference-names.ts'
import { parseLimit } from './option-values.ts'
import type { Columns, ListLayout, Row } from './output/output.ts'
import { watchRecords } from './watch-records.ts'

export const listOptions = {
  '--query <condition>': { help: 'filter, such as state=Enabled; repeatable (docs/query.md)', repeated: true },
  '--sort <field>': { help: 'sort by +field (ascending) or -field (descending)' },
  '--limit <count>': { help: 'maximum number of records' },
  '--columns <fields>': { help: 'columns of the table, separated by commas' },
  '-w, --watch': { help: 'print changes until Ctrl-C; a terminal redraws the table' },
} as const satisfies OptionSpecs

export interface ListFlags {
  readonly query?: readonly string[]
  readonly sort?: string
  readonly limit?: string
  readonly columns?: string
  readonly watch?: boolean
  /** The limit without --limit, for large collections. */
  readonly defaultLimit?: number
}

interface Page {
  q: readonly string[]
  sort?: string
  limit?: number
  replyWithCount?: boolean
}

interface Answer {
  readonly inventories?: readonly Row[]
  readonly total?: number
}

interface Collection {
  query(page: Page): Promise<Answer>
  all(page: Page): AsyncIterable<Row>
}

export interface ListView extends ListLayout {
  readonly emptyMessage: string
  /** An order of all records that the server does not have. */
  readonly order?: (() => Promise<(a: Row, b: Row) => number>) | undefined
  /** Adds columns that are computed from the record. */
  readonly compute?: (wharf: Wharf, records: readonly Row[]) => Promise<(record: Row) => Row>
}

/** Prints the matching records. */
export async function listRecords(cli: Cli, group: keyof Wharf, flags: ListFlags, view: ListView): Promise<void> {
  const wharf = await cli.wharf()
  const { query = [], sort, limit, defaultLimit } = flags
  const collection = wharf[group] as unknown as Collection
  const page = { q: query, ...(sort === undefined ? {} : { sort }) }
  const count = parseLimit(limit)
  const order = await view.order?.()
  const read = async (): Promise<Answer> => {
    if (count !== undefined) return collection.query({ ...page, limit: count })
    if (defaultLimit !== undefined) return collection.query({ ...page, limit: defaultLimit, replyWithCount: true })
    const inventories = await Array.fromAsync(collection.all(page))
    return { inventories: order === undefined ? inventories : inventories.sort(order) }
  }
  const columns = chosenColumns(cli, flags.columns)
  const layout = columns === undefined ? view : { ...view, columns, wide: [] }
  const readRows = async (): Promise<{ rows: readonly Row[]; answer: Answer }> => {
    const answer = await read()
    const rows = await tableRows(cli, wharf, answer.inventories ?? [], layout)
    if (columns !== undefined) requireColumns(columns, rows)
    return { rows, answer }
  }
  if (flags.watch) {
    const eventTypes = await eventTypesOf(group)
    return watchRecords(cli, { ...view, layout, eventTypes, read: async () => (await readRows()).rows })
  }
  if (cli.out.form === 'ndjson' && [count, defaultLimit, order].every((one) => one === undefined)) {
    for await (const record of collection.all(page)) cli.out.item(record, '')
    return
  }
  const { rows, answer } = await readRows()
  cli.out.list(rows, layout)
  if (rows.length === 0) cli.info(view.emptyMessage)
  if (defaultLimit !== undefined && count === undefined) reportTruncation(cli, answer, '--limit COUNT')
}

/** The events that report changes of these records. */
async function eventTypesOf(group: string): Promise<readonly string[]> {
  const { operations } = await import('@wharf/contract')
  return operations.find(({ client }) => client === `${group}.query`)?.queries?.events ?? []
}

function chosenColumns(cli: Cli, text: string | undefined): Columns | undefined {
  if (text === undefined) return undefined
  if (!cli.out.isTable) throw new UsageError(`--columns applies to tables, not to -o ${cli.out.form}`)
  const columns = text.split(',').map((name) => name.trim())
  if (columns.includes('')) throw new UsageError(`invalid --columns ${text}: use field,field`)
  return columns
}

/** For tables, adds the names of other records and computed columns. */
async function tableRows(cli: Cli, wharf: Wharf, records: readonly Row[], view: ListView): Promise<readonly Row[]> {
  if (!cli.out.isTable) return records
  const { columns, wide = [], compute } = view
  const shown = cli.out.form === 'wide' ? [...columns, ...wide] : columns
  const computeFields = await compute?.(wharf, records)
  const computed = computeFields ? records.map((record) => ({ ...record, ...computeFields(record) })) : records
  return withReferenceNames(wharf, computed, (reference) => shown.includes(reference))
}

function requireColumns(columns: Columns, [first]: readonly Row[]): void {
  const unknown = first && columns.find((name) => !Object.hasOwn(first, name))
  if (unknown === undefined) return
  const available = new Set(Object.keys(first ?? {}).flatMap((field) => [referenceIn(field) ?? field, field]))
  throw new UsageError(`no column ${unknown}`, `available columns: ${[...available].sort().join(', ')}`)
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

interface ListDeclaration extends Omit<ListView, 'emptyMessage' | 'nameField'> {
  /** The command before `list` in the examples. */
  readonly path: string
  readonly plural: string
  readonly sort?: string
  readonly defaultLimit?: number
  readonly example?: string
}

export function listCommand(kind: NamedKind, declaration: ListDeclaration): CommandSpec {
  const { path, plural, sort = `+${kindOf(kind).field}`, defaultLimit, example, order, ...layout } = declaration
  const examples: [string, ...string[]] = [`${path} list`]
  if (example !== undefined) examples.push(`${path} list ${example}`)
  const limit = defaultLimit === undefined ? '' : ` (default: ${defaultLimit})`
  return command({
    name: 'list',
    aliases: ['ls'],
    summary: `List ${plural}${sort.startsWith('-') ? ', newest first' : ''}`,
    options: { ...listOptions, '--limit <count>': { help: `maximum number of records${limit}` } },
    examples,
    run: (cli, _, flags) =>
      listRecords(
        cli,
        kind,
        { sort, ...(defaultLimit === undefined ? {} : { defaultLimit }), ...flags },
        {
          ...layout,
          ...(flags.sort === undefined ? { order } : {}),
          nameField: kindOf(kind).listedField ?? kindOf(kind).field,
          emptyMessage: `No ${plural}.`,
        },
      ),
  })
}
