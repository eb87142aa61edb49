import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Flag, Integer, inventory, Long, Name, orNull, SecretText, Text, Timestamp, Uuid } from '@wharf/contract'
import { formatTimestamp } from '@wharf/platform/timestamps.ts'
import { testDatabase } from '@wharf/testkit'
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import type { Operator } from './parse-condition.ts'
import { collection, type QueryInput } from './query.ts'
import type { OpenedDatabase } from './sqlite.ts'

/** The query language against an evaluation in memory that shares no code with it. */

interface Sample {
  uuid: string
  name: string
  note: string | null
  size: number
  port: number | null
  active: boolean
  locked: boolean | null
  createDate: number
  seenDate: number | null
}
type FieldName = keyof Sample

const samples = collection(
  inventory({
    name: 'SampleInventory',
    since: 'wharf-1.0.0',
    events: [],
    table: 'samples',
    scope: 'byRole',
    fields: {
      uuid: Uuid(),
      name: Name(),
      note: orNull(Text(255)),
      size: Long(),
      port: orNull(Integer(-9, 9)),
      active: Flag(),
      locked: orNull(Flag()),
      createDate: Timestamp(),
      seenDate: orNull(Timestamp()),
      secret: orNull(SecretText(40)),
    },
  }),
  { columns: { note: 'lower("remark")' } },
)

const kinds: Record<FieldName, 'text' | 'number' | 'flag' | 'time'> = {
  uuid: 'text',
  name: 'text',
  note: 'text',
  size: 'number',
  port: 'number',
  active: 'flag',
  locked: 'flag',
  createDate: 'time',
  seenDate: 'time',
}

// Data: few distinct values, so that conditions hit; é and the Kelvin sign have a case that must not be folded;
// Ａ sorts after 😀 in UTF-16 and before it by code point

const letters = ['a', 'A', 'b', 'Z', '%', '_', '\\', ',', ' ', "'", '"', '=', 'é', 'É', 'K', 'k', 'ß', 'Ａ', '😀', '中']
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 4 }),
  // these often meet: in a row and, unchanged or as a pattern, in a condition
  fc.constantFrom('', 'a', 'A', 'a\\', '\\', '%', '%\\', 'a\\\\', '\\a', '😀', 'Ａ', '_', '__', 'é', 'É', 'K', '\\%'),
)
const time = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(0, 1, 500, 999))
  .map(([second, ms]) => 1_700_000_000_000 + second * 1000 + ms)
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.MAX_SAFE_INTEGER), fc.constant(2 ** 31))
const rows = fc.uniqueArray(
  fc.record<Sample>({
    uuid: fc.stringMatching(/^[0-9a-f]{2}$/),
    name: word,
    note: fc.option(word.map(foldAscii)),
    size: number,
    port: fc.option(fc.integer({ min: -3, max: 3 })),
    active: fc.boolean(),
    locked: fc.option(fc.boolean()),
    createDate: time,
    seenDate: fc.option(time),
  }),
  { maxLength: 24, selector: (row) => row.uuid },
)

const operators: Operator[] = ['=', '!=', '>', '>=', '<', '<=', '?=', '!?=', '~=', '!~=', ' is null', ' not null']

const isoSecond = (ms: number): string => new Date(ms).toISOString().slice(0, 19)
const timeText = fc
  .tuple(time, fc.nat(3))
  .map(
    ([ms, form]) =>
      [formatTimestamp(ms), isoSecond(ms).replace('T', ' '), `${isoSecond(ms)}Z`, new Date(ms).toISOString()][form] ??
      '',
  )
const texts = {
  text: word,
  number: number.map(String),
  flag: fc.constantFrom('true', 'false', 'TRUE', 'False'),
  time: timeText,
}

interface SampleCondition {
  field: FieldName
  operator: Operator
  /** One for most operators, several for lists. */
  values: string[]
}

const condition: fc.Arbitrary<SampleCondition> = fc
  .constantFrom(...(Object.keys(kinds) as FieldName[]))
  .chain((field) => {
    const kind = kinds[field]
    const allowed = operators.filter((o) => {
      if (o.endsWith('~=')) return kind === 'text'
      return kind !== 'flag' || !/[<>]/.test(o)
    })
    const text = texts[kind]
    return fc.constantFrom(...allowed).chain((operator) =>
      fc.record({
        field: fc.constant(field),
        operator: fc.constant(operator),
        values: operator.endsWith('?=')
          ? // a comma parts the values of a list
            fc.array(kind === 'text' ? text.map((t) => t.replaceAll(',', '')) : text, { minLength: 1, maxLength: 3 })
          : // "name<" and "=a" put together read "name<=a"
            text.map((t) => [/[<>]$/.test(operator) ? t.replace(/^=+/, '') : t]),
      }),
    )
  })

const written = ({ field, operator, values }: SampleCondition): string =>
  field + operator + (operator.endsWith('null') ? '' : values.join(','))

// Evaluation

function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function isLike(text: string, pattern: string): boolean {
  const source = [...foldAscii(pattern).matchAll(/\\?[\s\S]/gu)].map(([token]) => {
    if (token === '%') return '[\\s\\S]*'
    if (token === '_') return '[\\s\\S]'
    const literal = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token
    return `\\u{${literal.codePointAt(0)?.toString(16)}}`
  })
  return new RegExp(`^${source.join('')}$`, 'u').test(foldAscii(text))
}

/** Negative, 0, positive: the order of the stored value and the written one. */
function compare(field: FieldName, stored: string | number | boolean, text: string): number {
  if (typeof stored === 'string') return compareText(stored, text)
  if (typeof stored === 'boolean') return stored === (text.toLowerCase() === 'true') ? 0 : 1
  if (kinds[field] === 'number') return stored - Number(text)
  const wanted = Date.parse(/[Z:]\d*Z?$/.test(text) ? `${text.replace(' ', 'T').replace('Z', '')}Z` : `${text} UTC`)
  return text.includes('.') ? stored - wanted : Math.floor(stored / 1000) - wanted / 1000
}

/** As a uuid is stored, however it is written. */
const asUuid = (text: string): string => text.replaceAll(/\\?-/g, '').toLowerCase()

function holds(row: Sample, { field, operator, values: written }: SampleCondition): boolean {
  const stored = row[field]
  const values = field === 'uuid' ? written.map(asUuid) : written
  if (stored === null) return [' is null', '!=', '!?=', '!~='].includes(operator)
  const [value = ''] = values
  switch (operator) {
    case ' is null':
      return false
    case ' not null':
      return true
    case '=':
      return compare(field, stored, value) === 0
    case '!=':
      return compare(field, stored, value) !== 0
    case '>':
      return compare(field, stored, value) > 0
    case '>=':
      return compare(field, stored, value) >= 0
    case '<':
      return compare(field, stored, value) < 0
    case '<=':
      return compare(field, stored, value) <= 0
    case '?=':
      return values.some((one) => compare(field, stored, one) === 0)
    case '!?=':
      return values.every((one) => compare(field, stored, one) !== 0)
    case '~=':
      return isLike(String(stored), value)
    case '!~=':
      return !isLike(String(stored), value)
  }
}

function inOrder(a: Sample, b: Sample, field: FieldName): number {
  const [left, right] = [a[field], b[field]]
  if (left === null || right === null) {
    if (left !== right) return left === null ? -1 : 1
  } else {
    const difference =
      typeof left === 'string' ? compareText(left, String(right)) : Math.sign(Number(left) - Number(right))
    if (difference !== 0) return difference
  }
  return compareText(a.uuid, b.uuid)
}

interface SampleQuery {
  conditions: SampleCondition[]
  sort: FieldName | undefined
  descending: boolean
  sign: string
  limit: number | undefined
  start: number
}

const sampleQuery: fc.Arbitrary<SampleQuery> = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  sort: fc.option(fc.constantFrom(...(Object.keys(kinds) as FieldName[])), { nil: undefined }),
  descending: fc.boolean(),
  sign: fc.constantFrom('', '+', ' '),
  limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  start: fc.nat(6),
})

function expected(all: Sample[], { conditions, sort, descending, limit, start }: SampleQuery): [string[], number] {
  const matching = all.filter((row) => conditions.every((condition) => holds(row, condition)))
  const direction = sort !== undefined && descending ? -1 : 1
  matching.sort((a, b) => direction * inOrder(a, b, sort ?? 'createDate'))
  return [
    matching.slice(start, limit === undefined ? undefined : start + limit).map((row) => row.uuid),
    matching.length,
  ]
}

const asInput = ({ conditions, sort, descending, sign, limit, start }: SampleQuery): QueryInput => ({
  q: conditions.map(written),
  ...(sort === undefined ? {} : { sort: (descending ? '-' : sign) + sort }),
  ...(limit === undefined ? {} : { limit }),
  start,
  replyWithCount: true,
})

async function fill(database: OpenedDatabase, all: Sample[]): Promise<void> {
  const mark = database.engine === 'postgres' ? (n: number) => `$${n}` : () => '?'
  const values: unknown[] = []
  const tuples = all.map((row) => {
    const flag = (on: boolean | null) => (on === null ? null : Number(on))
    const columns = [row.uuid, row.name, row.note, row.size, row.port, flag(row.active), flag(row.locked)]
    return `(${[...columns, row.createDate, row.seenDate].map((value) => mark(values.push(value))).join(', ')})`
  })
  await database.transaction(async (tx) => {
    await tx.executeQuery(CompiledQuery.raw('delete from "samples"'))
    if (all.length > 0) await tx.executeQuery(CompiledQuery.raw(`insert into "samples" values ${tuples}`, values))
  })
}

test('a query returns what an evaluation in memory returns', async (t) => {
  const database = await testDatabase(t)
  const text = database.engine === 'postgres' ? 'text collate "C"' : 'text'
  await database.transaction((tx) =>
    tx.executeQuery(
      CompiledQuery.raw(`create table "samples" ("uuid" ${text} primary key, "name" ${text} not null,
        "remark" ${text}, "size" bigint not null, "port" bigint, "active" bigint not null, "locked" bigint,
        "createDate" bigint not null, "seenDate" bigint)`),
    ),
  )
  await fc.assert(
    fc.asyncProperty(rows, fc.array(sampleQuery, { minLength: 1, maxLength: 12 }), async (all, questions) => {
      await fill(database, all)
      for (const one of questions) {
        const input = asInput(one)
        const page = await samples.query(database, input)
        const found = page.inventories?.objects()
        assert.deepEqual([found?.map((row) => row.uuid), page.total], expected(all, one), JSON.stringify(input))
        assert.deepEqual(await samples.query(database, { ...input, count: true }), { total: page.total })
        for (const row of found ?? [])
          assert.deepEqual(row, { ...all.find((sample) => sample.uuid === row.uuid), secret: null })
      }
    }),
    { numRuns: 300, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true },
  )
})
