import { isLabelName, labelNameRule, type ScopeCondition, type ScopeOperator, scopeOperators } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import { type Condition, parseCondition, quoted } from './parse-condition.ts'

/** The hosts that a caller is limited to. */
export interface CallerScope {
  /** The conditions as they are written; equal scopes have equal texts. */
  readonly texts: readonly string[]
  readonly conditions: readonly ScopeCondition[]
  /** Finds its own records that belong to no host. */
  readonly userUuid: string
}

const prefix = 'labels.'
const rule =
  'write labels.<name>, one of = != ?= !?= and a value, or labels.<name> followed by " is null" or " not null"'

const isScopeOperator = (operator: string): operator is ScopeOperator =>
  scopeOperators.some((known) => known === operator)

function readCondition(text: string, field: string): ScopeCondition {
  const { field: name, operator, value } = parse(text, field)
  if (!name.startsWith(prefix))
    throw invalid(`${field}: ${quoted(text)} is not a condition on a label of hosts; ${rule}`)
  const label = name.slice(prefix.length)
  if (!isLabelName(label)) throw invalid(`${field}: ${quoted(name)} names no label; a label name has ${labelNameRule}`)
  if (!isScopeOperator(operator))
    throw invalid(`${field}: ${operator} in ${quoted(text)} is not an operator of scopes; ${rule}`)
  return { label, operator, value: value.trim() }
}

function parse(text: string, field: string): Condition {
  try {
    return parseCondition(text)
  } catch (error) {
    throw error instanceof ApiError ? invalid(`${field}: ${quoted(text)} is not a condition; ${rule}`) : error
  }
}

const textOf = ({ label, operator, value }: ScopeCondition): string => `${prefix}${label}${operator}${value}`

/** The conditions in one form, each once; refuses what is not a condition on labels. */
export const checkedScope = (texts: readonly string[], field: string): string[] => [
  ...new Set(texts.map((text) => textOf(readCondition(text, field)))),
]

const none: readonly string[] = []

/** The conditions in a column. */
export const readScope = (json: string): readonly string[] => (json === '[]' ? none : (JSON.parse(json) as string[]))

/** All of these conditions together; undefined when there are none. */
export function scopeOf(userUuid: string, ...stored: readonly (readonly string[])[]): CallerScope | undefined {
  if (stored.every(({ length }) => length === 0)) return undefined
  const texts = [...new Set(stored.flat())].sort()
  return { texts, conditions: texts.map((text) => readCondition(text, 'scope')), userUuid }
}

/** Whether these conditions limit at least as much as the scope: they contain all of its conditions. */
export const isWithinScope = (scope: CallerScope | undefined, texts: readonly string[]): boolean =>
  scope === undefined || scope.texts.every((text) => texts.includes(text))

export const isSameScope = (a: CallerScope | undefined, b: CallerScope | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.texts.join('\n') === b.texts.join('\n'))

/** A scope in an error text. */
export const scopeText = ({ texts }: Pick<CallerScope, 'texts'>): string => texts.join(' and ')
