import { invalid } from '@wharf/platform/api-error.ts'
import type { Bindings } from './bindings.ts'
import type { Condition, Operator } from './parse-condition.ts'
import type { Field, Spellings } from './query-fields.ts'
import { type Moment, readBoolean, readInteger, readMoment, readMoments, readText, readUuid } from './query-values.ts'

export const opposites = { '!=': '=', '!?=': '?=', '!~=': '~=' } as const

type Affirmative = Exclude<Operator, keyof typeof opposites | ' is null' | ' not null'>

/** A condition on one field as SQL. NULL satisfies the negated operators: what is unknown is not equal. */
export function conditionSql(field: Field, { operator, value }: Condition, to: Bindings, timeZone?: string): string {
  switch (operator) {
    case ' is null':
      return `${field.expression} is null`
    case ' not null':
      return `${field.expression} is not null`
    case '!=':
    case '!?=':
    case '!~=': {
      const affirmed = affirmativeSql(field, opposites[operator], value, to, timeZone)
      return field.nullable ? `(${field.expression} is null or not (${affirmed}))` : `not (${affirmed})`
    }
    default:
      return affirmativeSql(field, operator, value, to, timeZone)
  }
}

export function affirmativeSql(
  field: Field,
  operator: Affirmative,
  value: string,
  to: Bindings,
  timeZone?: string,
): string {
  const { name, kind, expression, spellings } = field
  if (spellings && (operator === '=' || operator === '?=' || operator === '~='))
    return spelledSql(name, spellings, operator, value, to)
  if (kind === 'timestamp') return timeSql(field, operator, value, to, timeZone)
  const readWords = field.isUuid ? readUuid : readText
  if (operator === '~=') {
    if (kind !== 'string') throw invalid(`q ${name}: ~= is for text, and this is ${kinds[kind]}`)
    return to.like(expression, readWords(name, value))
  }
  if (kind === 'boolean' && operator !== '=' && operator !== '?=')
    throw invalid(`q ${name}: ${operator} is for what has an order, and this is ${kinds[kind]}`)
  const read = kind === 'integer' ? readInteger : kind === 'boolean' ? readBoolean : readWords
  if (operator !== '?=' && operator !== '=') return `${expression} ${operator} ${to.bind(read(name, value))}`
  const equal =
    operator === '='
      ? `${expression} = ${to.bind(read(name, value))}`
      : to.among(
          expression,
          value.split(',').map((item) => read(name, item)),
        )
  return field.isChoice ? to.often(equal) : equal
}

function spelledSql(
  name: string,
  { column, stored, written }: Spellings,
  operator: '=' | '?=' | '~=',
  value: string,
  to: Bindings,
): string {
  const text = readText(name, value)
  if (operator === '~=') return `(${written.map((spelling) => to.like(spelling, text)).join(' or ')})`
  const texts = operator === '=' ? [text] : text.split(',')
  return to.among(column, texts.flatMap(stored))
}

const kinds = {
  string: 'text',
  integer: 'a number',
  boolean: 'true or false',
  timestamp: 'a time',
  json: 'a list or map',
} as const

function timeSql(field: Field, operator: Affirmative, value: string, to: Bindings, timeZone?: string): string {
  const { name, expression } = field
  if (operator === '~=') throw invalid(`q ${name}: ~= is for text, and this is ${kinds.timestamp}`)
  const within = ({ from, to: end }: Moment): string =>
    `(${expression} >= ${to.bind(from)} and ${expression} < ${to.bind(end)})`
  if (operator === '?=') return `(${readMoments(name, value, timeZone).map(within).join(' or ')})`
  const moment = readMoment(name, value, timeZone)
  switch (operator) {
    case '=':
      return within(moment)
    case '>':
      return `${expression} >= ${to.bind(moment.to)}`
    case '>=':
      return `${expression} >= ${to.bind(moment.from)}`
    case '<':
      return `${expression} < ${to.bind(moment.from)}`
    case '<=':
      return `${expression} < ${to.bind(moment.to)}`
  }
}
