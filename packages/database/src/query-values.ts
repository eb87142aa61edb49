import { invalid } from '@wharf/platform/api-error.ts'
import { parseTimestamp } from '@wharf/platform/timestamps.ts'
import { quoted } from './parse-condition.ts'

/** The text of a condition's value, read as the kind of its field; each refuses what it cannot read. */

const parseWholeNumber = /^-?\d+$/
const fraction = /:\d\d[.,]\d/
const secondMs = 1000

export function readText(field: string, text: string): string {
  // PostgreSQL cannot store it, so nothing can be equal to it
  if (text.includes('\0')) throw invalid(`q ${field}: a value cannot contain the character NUL`)
  return text
}

/** Also a part of one, for `~=` and `>`; a pattern may escape a dash. */
export const readUuid = (field: string, text: string): string =>
  readText(field, text).replaceAll(/\\?-/g, '').toLowerCase()

export function readInteger(field: string, text: string): number {
  const value = parseWholeNumber.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  throw invalid(`q ${field}: ${quoted(text)} is not a whole number of at most 53 bits`)
}

export function readBoolean(field: string, text: string): 0 | 1 {
  const word = text.length <= 5 ? text.toLowerCase() : ''
  if (word === 'true') return 1
  if (word === 'false') return 0
  throw invalid(`q ${field}: ${quoted(text)} is neither true nor false`)
}

/** What a written time covers, in milliseconds: `from` belongs to it, `to` no more. */
export interface Moment {
  from: number
  to: number
}

/** Answers show seconds, so a time without a fraction is that whole second: a displayed time can be queried. */
function momentOf(text: string, timeZone: string | undefined): Moment | undefined {
  const from = parseTimestamp(text, timeZone)
  return from === undefined ? undefined : { from, to: from + (fraction.test(text) ? 1 : secondMs) }
}

const notATime = (field: string, text: string): Error =>
  invalid(`q ${field}: ${quoted(text)} is not a time such as Nov 5, 2026 1:02:03 AM, 2026-11-05 01:02:03 or ISO 8601`)

export function readMoment(field: string, text: string, timeZone?: string): Moment {
  const moment = momentOf(text, timeZone)
  if (moment === undefined) throw notATime(field, text)
  return moment
}

/** A comma list of times, whose own form has a comma too. */
export function readMoments(field: string, text: string, timeZone?: string): Moment[] {
  const parts = text.split(',')
  const moments: Moment[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const alone = momentOf(part, timeZone)
    const moment = alone ?? momentOf(`${part},${parts[++at]}`, timeZone)
    if (moment === undefined) throw notATime(field, part)
    moments.push(moment)
  }
  return moments
}
