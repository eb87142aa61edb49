import { invalid } from '@wharf/platform/api-error.ts'
import { parseTimestamp } from '@wharf/platform/timestamps.ts'

export interface Period {
  readonly from: number
  /** Does not belong to it. */
  readonly to: number
}

interface PeriodOptions {
  readonly now: number
  /** The length of a period without a start. */
  readonly defaultMs: number
  /** The zone of times that name none. */
  readonly timeZone: string
}

/** A time in a field of a call, in milliseconds. */
export function readTime(field: string, text: string, timeZone: string): number {
  const time = parseTimestamp(text, timeZone)
  if (time !== undefined) return time
  throw invalid(`${field} must be a time such as 2026-11-05T01:02:03Z or Nov 5, 2026 1:02:03 AM`)
}

/** The fields `from` and `to` of a call. */
export function readPeriod(
  fields: { readonly from?: string | undefined; readonly to?: string | undefined },
  { now, defaultMs, timeZone }: PeriodOptions,
): Period {
  const to = fields.to === undefined ? now : readTime('to', fields.to, timeZone)
  const from = fields.from === undefined ? to - defaultMs : readTime('from', fields.from, timeZone)
  if (from < to) return { from, to }
  throw invalid('from must be earlier than to, which is now when it is absent')
}
