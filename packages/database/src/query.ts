import { invalid } from '@wharf/platform/api-error.ts'
import { attachedConditionSql, type LeadingLabel, labelField, leadingLabel, tagFields } from './attached-conditions.ts'
import { Bindings } from './bindings.ts'
import { conditionSql } from './condition-sql.ts'
import type { Database, Engine } from './database.ts'
import { type Condition, parseCondition, quoted } from './parse-condition.ts'
import { type Field, type FieldColumns, fieldsOf, quoteName, type StoredInventory } from './query-fields.ts'
import { orderSql, type Selection, selection } from './query-select.ts'
import { maxInlineCharacters, type ReadCost } from './read-cost.ts'
import { everyRow, someRows } from './read-deadline.ts'
import { scopeSql } from './record-scope-sql.ts'
import { type Row, RowList } from './row-list.ts'
import type { CallerScope } from './scope-conditions.ts'

export interface QueryInput {
  /** Conditions; records match all of them. */
  q?: string[]
  limit?: number
  start?: number
  sort?: string
  count?: boolean
  replyWithCount?: boolean
  /** Names, or lists of names with commas between them. */
  fields?: string[]
  /** The zone of times that are given without one; UTC when absent. */
  timeZone?: string
  /** Slow reads are queued fairly by user. */
  userUuid?: string
  /** Aborted when the caller has disconnected. */
  disconnectSignal?: () => AbortSignal
  /** The hosts that the caller is limited to; records outside do not exist for it. */
  scope?: CallerScope | undefined
}

/** The input of a read of one record. */
type ItemInput = Pick<QueryInput, 'fields' | 'scope'>

export interface Page {
  inventories?: RowList
  total?: number
}

/** Columns and their required values, independent of the conditions; such as the user of the caller. */
export type RequiredColumns = Record<string, string>

export interface QueryableCollection {
  query(database: Database, input: QueryInput, required?: RequiredColumns): Promise<Page>
  /** One row, or none. */
  get(database: Database, uuid: string, input?: ItemInput, required?: RequiredColumns): Promise<RowList>
  /** Counts the records that meet the conditions, by groups. */
  countGroups(database: Database, input: QueryInput, grouping: Grouping): Promise<Row[]>
  /** The SQL of a query, without running it. */
  statements(engine: Engine, input: QueryInput, required?: RequiredColumns): Statements
}

interface Limits {
  readonly timeZone?: string | undefined
  readonly required?: RequiredColumns | undefined
  readonly scope?: CallerScope | undefined
}

/** Trusted SQL over the columns, never text of a caller. */
export interface Grouping {
  /** Each group's name in the rows, and its expression. The count is `total`. */
  readonly by: Readonly<Record<string, string>>
  /** A condition in addition to those of the caller. */
  readonly where: string
}

interface Statement {
  sql: string
  values: unknown[]
  cost: ReadCost
  isLarge: boolean
}

interface Statements {
  page: Statement | undefined
  count: Statement | undefined
  finish: Selection['finish']
}

const defaultLimit = 1000
const maxConditions = 32
/** Sorting by longer texts is slow even for few rows. */
const maxSortedCharacters = 255

/** The query language over one table. What does not depend on the call is computed once. */
export function collection(inventory: StoredInventory, special: FieldColumns = {}): QueryableCollection {
  const fields = fieldsOf(inventory, special)
  const table = quoteName(inventory.table)
  const from = ` from ${table}`
  const everything = selection(fields)
  const readable = byName(fields.filter((f) => f.readable))
  const comparable = byName(fields.filter((f) => f.queried))
  const uuid = comparable.get('uuid')
  const uuidOfRow = special.columns?.uuid ?? `${table}."uuid"`
  const tags: typeof tagFields = uuid ? tagFields : new Map()
  const { labels } = inventory
  const selectNames = [...readable.keys()].join(', ')
  const sortNames = [...comparable.keys()].join(', ')
  const labelNames = labels ? [`${labels.field}.<name>`] : []
  const queryNames = [...comparable.keys(), ...labelNames, ...tags.keys()].join(', ')
  const natural = comparable.get(inventory.order ?? 'createDate') ?? uuid
  const naturalOrder = { sqlite: orderSql('sqlite', natural, uuid), postgres: orderSql('postgres', natural, uuid) }

  function select(names: string[] | undefined): Selection {
    if (names === undefined) return everything
    const wanted = new Set(names.flatMap((list) => list.split(',')).map((name) => name.trim()))
    for (const name of wanted)
      if (!readable.has(name)) throw invalid(`fields: no field ${quoted(name)}; these can be read: ${selectNames}`)
    return selection(fields.filter((field) => wanted.has(field.name)))
  }

  function order(
    engine: Engine,
    sort: string | undefined,
    leading: LeadingLabel | undefined,
  ): { sql: string; isSlow: boolean } {
    if (leading && natural && uuid)
      return { sql: orderSql(engine, at(natural, leading.createDate), at(uuid, leading.uuid)), isSlow: false }
    if (sort === undefined) return { sql: naturalOrder[engine], isSlow: false }
    // a space is what a + becomes in a query string
    const signed = sort[0] === '+' || sort[0] === '-' || sort[0] === ' '
    const name = (signed ? sort.slice(1) : sort).trim()
    const field = comparable.get(name)
    if (field === undefined) throw invalid(`sort: no field ${quoted(name)}; these can be sorted by: ${sortNames}`)
    return { sql: orderSql(engine, field, uuid, sort[0] === '-'), isSlow: field.length > maxSortedCharacters }
  }

  function within(to: Bindings, { required, scope }: Limits): string {
    let all = ''
    if (required)
      for (const [column, value] of Object.entries(required))
        all = and(all, `${comparable.get(column)?.expression ?? quoteName(column)} = ${to.bind(value)}`)
    return scope && !labels && inventory.scope !== 'byRole'
      ? and(all, scopeSql(inventory.scope, table, scope, to))
      : all
  }

  function conditionsOf({ q = [], scope }: Pick<QueryInput, 'q' | 'scope'>): Condition[] {
    if (q.length > maxConditions) throw invalid(`q: at most ${maxConditions} conditions`)
    const conditions = q.map(parseCondition)
    // as conditions on labels, so that a page of hosts is read by the index of a label
    if (scope && labels)
      for (const { label, ...rest } of scope.conditions) conditions.push({ field: `${labels.field}.${label}`, ...rest })
    return conditions
  }

  function where(to: Bindings, conditions: readonly Condition[], limits: Limits, leading?: LeadingLabel): string {
    let all = within(to, limits)
    for (const condition of conditions) {
      const field = comparable.get(condition.field)
      const attached = field ? undefined : (tags.get(condition.field) ?? labelField(labels, condition.field))
      if (field) all = and(all, conditionSql(field, condition, to, limits.timeZone))
      else if (condition === leading?.condition) all = and(all, leading.toSql(to))
      else if (attached) all = and(all, attachedConditionSql(attached, uuidOfRow, condition, to))
      else throw invalid(`q: no field ${quoted(condition.field)}; these can be queried: ${queryNames}`)
    }
    return all
  }

  /** The deadline check is the first condition, so that it runs for every visited row. */
  const guards = { page: '', scan: someRows(table), slow: everyRow }

  function matching(engine: Engine, conditions: string, cost: ReadCost, read = from): string {
    const all = and(engine === 'postgres' ? '' : guards[cost], conditions)
    return all === '' ? read : `${read} where ${all}`
  }

  function statements(engine: Engine, input: QueryInput, required?: RequiredColumns): Statements {
    const { columns, finish, length } = select(input.fields)
    const { timeZone, scope } = input
    const parsed = conditionsOf(input)
    const leading = input.sort === undefined ? leadingLabel(labels, table, parsed) : undefined
    const sorted = order(engine, input.sort, leading)
    const to = new Bindings(engine)
    const conditions = where(to, parsed, { timeZone, required, scope }, leading)
    const { limit = defaultLimit, start = 0 } = input
    const counted = input.count === true || input.replyWithCount === true
    const ofCount: ReadCost = to.isSlow ? 'slow' : conditions !== '' ? 'scan' : 'page'
    const count = counted
      ? {
          sql: `select count(*) as "total"${matching(engine, conditions, ofCount, leading?.from)}`,
          values: [...to.values],
          cost: ofCount,
          isLarge: false,
        }
      : undefined
    if (input.count === true) return { count, page: undefined, finish }
    const isSlow = to.isSlow || sorted.isSlow
    const isScan = conditions !== '' || input.sort !== undefined || start > 0
    const cost: ReadCost = isSlow ? 'slow' : isScan ? 'scan' : 'page'
    const cut = ` limit ${to.limit(limit)} offset ${to.bind(start)}`
    const sql = columns + matching(engine, conditions, cost, leading?.from) + sorted.sql + cut
    return { count, page: { sql, values: to.values, cost, isLarge: limit * length > maxInlineCharacters }, finish }
  }

  async function query(database: Database, input: QueryInput, required?: RequiredColumns): Promise<Page> {
    const { count, page, finish } = statements(database.engine, input, required)
    const answer: Page = {}
    if (page) answer.inventories = finish(await run(database, page, input))
    if (count) answer.total = Number((await run(database, count, input)).lists[0]?.[0])
    return answer
  }

  async function countGroups(database: Database, input: QueryInput, { by, where: only }: Grouping): Promise<Row[]> {
    const { engine } = database
    const to = new Bindings(engine)
    const conditions = and(only, where(to, conditionsOf(input), { timeZone: input.timeZone, scope: input.scope }))
    const cost: ReadCost = to.isSlow ? 'slow' : 'scan'
    const groups = Object.entries(by).map(([name, expression]) => `${expression} as ${quoteName(name)}`)
    const positions = groups.map((_, index) => index + 1).join(', ')
    const sql = `select ${groups.join(', ')}, count(*) as "total"${matching(engine, conditions, cost)} group by ${positions}`
    return (await run(database, { sql, values: to.values, cost, isLarge: false }, input)).objects()
  }

  async function get(
    database: Database,
    wanted: string,
    { fields: names, scope }: ItemInput = {},
    required?: RequiredColumns,
  ): Promise<RowList> {
    const { columns, finish } = select(names)
    if (uuid === undefined) throw new Error(`${inventory.name} has no uuid to be found by`)
    // no uuid contains it, and PostgreSQL rejects it
    if (wanted.includes('\0')) return RowList.none
    const to = new Bindings(database.engine)
    const wantedRow = `${uuid.expression} = ${to.bind(wanted)}`
    const conditions = and(wantedRow, where(to, conditionsOf({ scope }), { required, scope }))
    const sql = `${columns + from} where ${conditions}`
    // the hosts of a rollout are visited
    const cost: ReadCost = to.isSlow ? 'scan' : 'page'
    return finish(await run(database, { sql, values: to.values, cost, isLarge: false }))
  }

  return { query, get, countGroups, statements }
}

/** An empty text is no condition. */
const and = (one: string, other: string): string => (one === '' ? other : other === '' ? one : `${one} and ${other}`)

/** The same field in another column. */
const at = (field: Field, expression: string): Field => ({ ...field, expression })

const byName = (fields: Field[]): Map<string, Field> => new Map(fields.map((field) => [field.name, field]))

const run = (
  database: Database,
  { sql, values, cost, isLarge }: Statement,
  { userUuid, disconnectSignal }: QueryInput = {},
): Promise<RowList> => database.rows(sql, values, { cost, isLarge, userUuid, disconnectSignal })
