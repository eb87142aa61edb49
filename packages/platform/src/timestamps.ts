const dayMs = 86_400_000

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const monthNumbers = new Map(months.map((name, index) => [name.toLowerCase(), index + 1]))
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

/** 1 for `Jan` in any case; 0, which no date has, for anything else. */
export const monthNumber = (name: string): number => monthNumbers.get(name.toLowerCase()) ?? 0

/** The instant these fields name in UTC; undefined when there is none (Feb 30, 24:00:00, second 60). */
export function utcInstant(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  const midnight = date.setUTCFullYear(year, month - 1, day) // Date.UTC takes the years 0-99 for 1900-1999
  return date.getUTCDate() === day ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 : undefined
}

/** What to add to an instant to get the zone's local time, in milliseconds. */
export type OffsetAt = (instant: number) => number

const alwaysUtc: OffsetAt = () => 0

/** Cached, since creating a DateTimeFormat takes 0.1 ms; bounded, since clients name zones in their Date header. */
const maxKnownZones = 32
const knownZones = new Map<string, OffsetAt>()

/** Undefined for a zone that Intl does not support. Offsets such as `+08:00` count as zones too. */
export function zoneOffset(timeZone: string): OffsetAt | undefined {
  if (timeZone.length > 64) return undefined
  const key = timeZone.toLowerCase()
  // the first use of Intl takes 15 ms, which a start in UTC does not need
  if (key === 'utc') return alwaysUtc
  const known = knownZones.get(key)
  if (known) return known
  let offsetAt: OffsetAt
  try {
    offsetAt = readOffsets(new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }))
  } catch {
    return undefined
  }
  for (const oldest of knownZones.keys()) {
    if (knownZones.size < maxKnownZones) break
    knownZones.delete(oldest)
  }
  knownZones.set(key, offsetAt)
  return offsetAt
}

function readOffsets(format: Intl.DateTimeFormat): OffsetAt {
  if (format.resolvedOptions().timeZone === 'UTC') return alwaysUtc
  return (instant) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(instant)) ?? []
    const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -size : size
  }
}

/** The instants at which clocks in the zone show `local`: none where they jump ahead, two where they are set back. */
export function instantsOf(local: number, offsetAt: OffsetAt): number[] {
  const before = offsetAt(local - dayMs)
  const after = offsetAt(local + dayMs)
  return (before === after ? [before] : [before, after])
    .map((offset) => local - offset)
    .filter((instant) => instant + offsetAt(instant) === local)
}

/** A formatter of the API's timestamps, `Nov 5, 2026 1:02:03 AM`, in one zone. Throws for an unknown zone. */
export function makeTimestampFormat(timeZone: string): (ms: number) => string {
  const offsetAt = dailyOffset(requireZone(timeZone))
  let lastDay = Number.NaN // rows of one response are mostly of one day
  let lastDate = ''
  return (ms) => {
    const local = ms + offsetAt(ms)
    const day = Math.floor(local / dayMs)
    if (day !== lastDay) {
      lastDate = formatDate(day * dayMs)
      lastDay = day
    }
    const second = Math.floor((local - day * dayMs) / 1000)
    const hour = Math.floor(second / 3600)
    const clock = `${hour % 12 || 12}:${twoDigits[Math.floor(second / 60) % 60]}:${twoDigits[second % 60]}`
    // joined, because JSON.stringify takes its slow path for a string that is still in pieces
    return [lastDate, ' ', clock, hour < 12 ? ' AM' : ' PM'].join('')
  }
}

/** The API's form in UTC. */
export const formatTimestamp = makeTimestampFormat('UTC')

function formatDate(ms: number): string {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) throw new RangeError('not a time')
  return `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${String(date.getUTCFullYear()).padStart(4, '0')}`
}

/** Cached days: 11 years, for a long page of old rows. */
const maxRememberedDays = 4096

/** Calls Intl once per day of UTC, and every time on a day in which the offset changes. */
function dailyOffset(offsetAt: OffsetAt): OffsetAt {
  if (offsetAt === alwaysUtc) return alwaysUtc
  const byDay = new Map<number, number>()
  return (instant) => {
    const day = Math.floor(instant / dayMs)
    const known = byDay.get(day)
    if (known !== undefined) return known
    const offset = offsetAt(day * dayMs)
    if (offset !== offsetAt((day + 1) * dayMs - 1)) return offsetAt(instant)
    if (byDay.size >= maxRememberedDays) byDay.clear()
    byDay.set(day, offset)
    return offset
  }
}

const apiForm = /^([a-z]{3}) (\d{1,2}), (\d{4}) (\d{1,2}):(\d\d):(\d\d) ([ap])m$/i
// The offset's sign may be a space: that is what a `+` becomes in a query string
const isoForm = /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(z|[+\- ]\d\d(?::?\d\d)?)?)?$/i

/**
 * A time in a query: the API's form, `yyyy-MM-dd HH:mm:ss`, or ISO 8601 (a date alone is midnight). Without an offset
 * it is read in the zone; of two instants the earlier counts, and a time the clocks skip is moved on by the gap.
 */
export function parseTimestamp(text: string, timeZone = 'UTC'): number | undefined {
  const api = apiForm.exec(text)
  if (api) {
    const [, month = '', day, year, hour, minute, second, half = ''] = api
    if (Number(hour) < 1 || Number(hour) > 12) return undefined
    const hour24 = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
    const local = utcInstant(Number(year), monthNumber(month), Number(day), hour24, Number(minute), Number(second))
    return local === undefined ? undefined : inZone(local, timeZone)
  }
  const [whole, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone] = isoForm.exec(text) ?? []
  if (whole === undefined) return undefined
  const midSecond = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = utcInstant(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second))
  if (local === undefined) return undefined
  if (zone === undefined) return inZone(local, timeZone) + midSecond
  const offset = numericOffset(zone.replace(' ', '+'))
  return offset === undefined ? undefined : local - offset + midSecond
}

/** `Z`, `±hh`, `±hhmm` or `±hh:mm` in milliseconds; undefined for anything else, and from 24 hours on. */
export function numericOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const [whole, sign, hours, minutes = 0] = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(text) ?? []
  if (whole === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const size = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -size : size
}

function inZone(local: number, timeZone: string): number {
  const offsetAt = requireZone(timeZone)
  return instantsOf(local, offsetAt)[0] ?? local - offsetAt(local - dayMs)
}

function requireZone(timeZone: string): OffsetAt {
  const offsetAt = zoneOffset(timeZone)
  if (!offsetAt) throw new RangeError(`unknown time zone: ${timeZone}`)
  return offsetAt
}
