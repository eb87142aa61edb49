import type { PropertyFilterProps } from '@cloudscape-design/components/property-filter'

/** The operators of the filter are those of the `q` language; `:` is "contains". */
export const operators = ['=', '!=', ':', '!:', '>=', '<=', '>', '<'] as const
export const textOperators = ['=', '!=', ':', '!:'] as const

const written: Readonly<Record<string, string>> = { ':': '~=', '!:': '!~=' }
const read: Readonly<Record<string, string>> = { '~=': ':', '!~=': '!:' }

/** `%` and `_` stand for anything in a pattern, so what was typed is written as itself. */
const like = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** A condition of `q` for each token. A text without a field is looked for in `textField`. */
export function conditionsOf({ tokens }: PropertyFilterProps.Query, textField: string): string[] {
  return tokens.map(({ propertyKey = textField, operator, value }) => {
    const sign = written[operator] ?? operator
    return `${propertyKey}${sign}${sign.endsWith('~=') ? like(String(value)) : value}`
  })
}

/** Back from the address of the page: `name~=%web%` → a token. What is no condition is left out. */
export function queryOf(conditions: readonly string[]): PropertyFilterProps.Query {
  const tokens = conditions.flatMap((condition) => {
    const found = /^(\w+)(!~=|~=|!=|>=|<=|=|>|<)(.*)$/s.exec(condition)
    if (found === null) return []
    const [, propertyKey = '', sign = '', value = ''] = found
    const operator = read[sign] ?? sign
    return [{ propertyKey, operator, value: sign.endsWith('~=') ? unlike(value) : value }]
  })
  return { tokens, operation: 'and' }
}

const unlike = (pattern: string): string => pattern.replace(/^%|%$/g, '').replaceAll(/\\([\\%_])/g, '$1')
