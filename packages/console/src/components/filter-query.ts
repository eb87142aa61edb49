import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter'

/** The operators of the filter are those of the `q` language; `:` is "contains". */
export const operators = ['=', '!=', ':', '!:', '>=', '<=', '>', '<'] as const
export const textOperators = ['=', '!=', ':', '!:'] as const

const written: Readonly<Record<string, string>> = { ':': '~=', '!:': '!~=' }
const read: Readonly<Record<string, string>> = { '~=': ':', '!~=': '!:' }

/** Escapes `%` and `_`, the wildcards of a pattern. */
const like = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** The value of a token that finds records without a value; `is null` in `q`. */
export const unset = '∅'

/** A field with choices allows several values. */
export const choiceOperators = [
  { operator: '=', tokenType: 'enum' },
  { operator: '!=', tokenType: 'enum' },
] as const

/** A condition of `q` for each token. Free text searches `textField`. */
export function conditionsOf({ tokens }: PropertyFilterProps.Query, textField: string): string[] {
  return tokens.flatMap(({ propertyKey = textField, operator, value }) => {
    const sign = written[operator] ?? operator
    if (isUnset(value)) return `${propertyKey} is ${operator === '!=' ? 'not ' : ''}null`
    if (Array.isArray(value) && value.length === 0) return []
    if (Array.isArray(value) && value.length > 1) return `${propertyKey}${sign.replace('=', '?=')}${value.join(',')}`
    return `${propertyKey}${sign}${sign.endsWith('~=') ? like(String(value)) : value}`
  })
}

const isUnset = (value: unknown): boolean => value === unset || (Array.isArray(value) && value.join() === unset)

/** A field, or a label of a host. */
const field = String.raw`(\w+(?:\.[\w./-]+)?)`
const nullCondition = new RegExp(`^${field} is (not )?null$`)
const comparison = new RegExp(String.raw`^${field}(!~=|~=|!\?=|\?=|!=|>=|<=|=|>|<)(.*)$`, 's')

/** Parses the conditions of the URL: `name~=%web%` → a token. Skips invalid ones. */
export function queryOf(
  conditions: readonly string[],
  choiceFields: readonly string[] = [],
): PropertyFilterProps.Query {
  const tokens = conditions.flatMap((condition): PropertyFilterProps.Token[] => {
    const [, absent, not] = nullCondition.exec(condition) ?? []
    if (absent !== undefined)
      return [
        {
          propertyKey: absent,
          operator: not ? '!=' : '=',
          value: choiceFields.includes(absent) ? [unset] : unset,
        },
      ]
    const found = comparison.exec(condition)
    if (found === null) return []
    const [, propertyKey = '', sign = '', value = ''] = found
    if (choiceFields.includes(propertyKey) && /^!?\??=$/.test(sign))
      return [{ propertyKey, operator: sign.replace('?', ''), value: value.split(',') }]
    const operator = read[sign] ?? sign
    return [{ propertyKey, operator, value: sign.endsWith('~=') ? unlike(value) : value }]
  })
  return { tokens, operation: 'and' }
}

const unlike = (pattern: string): string => pattern.replace(/^%|%$/g, '').replaceAll(/\\([\\%_])/g, '$1')
