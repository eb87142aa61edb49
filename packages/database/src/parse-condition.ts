import { invalid } from '@wharf/platform/api-error.ts'

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '?=' | '!?=' | '~=' | '!~=' | ' is null' | ' not null'

export interface Condition {
  field: string
  operator: Operator
  value: string
}

const rule =
  'write a field, one of = != > >= < <= ?= !?= ~= !~= and a value, or a field followed by " is null", " not null" or " is not null"'

/** Input of a caller inside an error text: quoted, and cut where it gets long. */
export const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** `name!=web` → field, operator, value. The leftmost and then longest operator applies; the value is the rest. */
export function parseCondition(text: string): Condition {
  for (let at = 0; at < text.length; at++) {
    const operator = operatorAt(text, at)
    if (operator === undefined) continue
    const field = text.slice(0, at).trim()
    if (field === '') throw invalid(`q ${quoted(text)} names no field: ${rule}`)
    const value = operator === ' not null' ? '' : text.slice(at + operator.length)
    return { field, operator, value }
  }
  throw invalid(`q ${quoted(text)} has no operator: ${rule}`)
}

function operatorAt(text: string, at: number): Operator | undefined {
  switch (text[at]) {
    case '=':
      return '='
    case '>':
      return text[at + 1] === '=' ? '>=' : '>'
    case '<':
      return text[at + 1] === '=' ? '<=' : '<'
    case '?':
      return text[at + 1] === '=' ? '?=' : undefined
    case '~':
      return text[at + 1] === '=' ? '~=' : undefined
    case '!':
      return negatedAt(text, at)
    case ' ':
      return nullTestAt(text, at)
    default:
      return undefined
  }
}

function negatedAt(text: string, at: number): Operator | undefined {
  if (text[at + 1] === '=') return '!='
  if (text[at + 2] !== '=') return undefined
  if (text[at + 1] === '?') return '!?='
  return text[at + 1] === '~' ? '!~=' : undefined
}

/** A null test has no value, so it ends the text. */
function nullTestAt(text: string, at: number): Operator | undefined {
  const rest = text.length - at
  if (rest === ' is null'.length && text.endsWith(' is null')) return ' is null'
  const isKnown = [' not null', ' is not null'].some((words) => rest === words.length && text.endsWith(words))
  return isKnown ? ' not null' : undefined
}
