import { toDate } from '@wharf/sdk'

/** A value of a record that can be compared: times of the API as milliseconds. */
type Comparable = string | number | null

const apiTime = /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2}:\d{2} [AP]M$/

/** The zone does not matter for the order of times of one server. */
function timeOf(text: string): number {
  return apiTime.test(text) ? toDate(text, { timeZone: 'UTC' }).getTime() : Date.parse(`${text.replace(' ', 'T')}Z`)
}

function comparable(value: unknown): Comparable {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return value
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return apiTime.test(text) ? timeOf(text) : text
}

/** Unknown values sort first, as on the server. */
export function compareValues(one: unknown, other: unknown): number {
  const [a, b] = [comparable(one), comparable(other)]
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  return a < b ? -1 : 1
}

/** `%` is any text, `_` one character, `\` takes them literally; ASCII letters match in any case. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\\(.)|([%_])|([\s\S])/g, (_, escaped?: string, wildcard?: string, other = '') => {
    if (wildcard !== undefined) return wildcard === '%' ? '[\\s\\S]*' : '[\\s\\S]'
    return (escaped ?? other).replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
  })
  return new RegExp(`^${source}$`, 'i').test(text)
}

/** Whether a record matches a condition of the query language; a condition that cannot be read matches nothing. */
export function matchesCondition(record: object, condition: string): boolean {
  const found = /^(\w+)(!~=|~=|!\?=|\?=|!=|>=|<=|=|>|<)(.*)$/s.exec(condition)
  if (found === null) return false
  const [, field = '', sign = '', expected = ''] = found
  const value = (record as Readonly<Record<string, unknown>>)[field]
  if (sign.startsWith('!')) return !matches(value, sign.slice(1), expected)
  return matches(value, sign, expected)
}

function matches(value: unknown, sign: string, expected: string): boolean {
  const own = comparable(value)
  if (own === null) return false
  if (sign === '=') return String(value) === expected
  if (sign === '?=') return expected.split(',').includes(String(value))
  if (sign === '~=') return isLike(String(value), expected)
  const limit = typeof own === 'string' ? expected : typeof value === 'number' ? Number(expected) : timeOf(expected)
  if (sign === '>') return own > limit
  if (sign === '>=') return own >= limit
  return sign === '<' ? own < limit : own <= limit
}
