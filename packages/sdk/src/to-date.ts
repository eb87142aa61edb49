import { timestampPattern } from '@wharf/contract'

const timestamp = new RegExp(timestampPattern)
const dayMs = 86_400_000

/**
 * A time as the API writes it, `Nov 5, 2026 1:02:03 AM`, as an instant. The text has no zone: it is UTC unless the server
 * sets WHARF_TIMEZONE, and `Wharf.toDate` knows the zone of its server. Of two instants with the same text, when clocks
 * are set back, it is the earlier one.
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

/** Of the zone that was used last: a program has one server, and a format takes long to make. */
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
