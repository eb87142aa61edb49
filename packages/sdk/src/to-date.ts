import { timestampPattern } from '@wharf/contract'

const timestamp = new RegExp(timestampPattern)
const dayMs = 86_400_000

/**
 * Parses a time of the API, such as `Nov 5, 2026 1:02:03 AM`. The text has no zone: it is UTC unless the server sets
 * WHARF_TIMEZONE; `Wharf.toDate` uses the zone of its server. Returns the earlier of two instants that have the same text
 * because clocks were set back.
 */
export function toDate(text: string, { timeZone = 'UTC' }: { timeZone?: string | undefined } = {}): Date {
  const local = Date.parse(`${text} UTC`)
  if (!timestamp.test(text) || Number.isNaN(local))
    throw new RangeError(`${JSON.stringify(text)} is not a time of the API, such as Nov 5, 2026 1:02:03 AM`)
  const offsetAt = offsetsOf(timeZone)
  const before = local - offsetAt(local - dayMs)
  const after = local - offsetAt(local + dayMs)
  const fits = [before, after].filter((instant) => instant + offsetAt(instant) === local)
  return new Date(fits.length > 0 ? Math.min(...fits) : before)
}

type OffsetAt = (instant: number) => number

/** Cached for one zone: creating a format is slow, and a program usually has one server. */
let last: { readonly timeZone: string; readonly offsetAt: OffsetAt } | undefined

function offsetsOf(timeZone: string): OffsetAt {
  if (timeZone === 'UTC') return () => 0
  if (last?.timeZone === timeZone) return last.offsetAt
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetAt: OffsetAt = (instant) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(instant)) ?? []
    const offsetMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -offsetMs : offsetMs
  }
  last = { timeZone, offsetAt }
  return offsetAt
}
