import {
  instantsOf,
  monthNumber,
  numericOffset,
  type OffsetAt,
  utcInstant,
  zoneOffset,
} from '@wharf/platform/timestamps.ts'
import { zoneAbbreviations } from './zone-abbreviations.ts'

export interface HttpDateOptions {
  /** The only meaning of CST, as an offset (`-06:00`) or an IANA name; without it everything that it means. */
  cst?: string | undefined
  /** The server's time: of several instants that a date may mean, the nearest to it counts. */
  near?: number
}

const beforeZone = /^(?:mon|tue|wed|thu|fri|sat|sun), (\d\d?) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) ?/i
const zoneForm = /^[\w+\-/:]{1,64}$/

/** Hours from UTC of abbreviations that clients use and the time-zone database does not contain. */
const additional: Readonly<Record<string, number>> = { UT: 0, ICT: 7, MMT: 6.5, SGT: 8 }

let abbreviations: ReadonlyMap<string, readonly number[]> | undefined

/** Offsets in milliseconds. Read when the first date names anything but GMT. */
function offsetsOf(abbreviation: string): readonly number[] {
  abbreviations ??= new Map(
    zoneAbbreviations.split('\n').map((line) => {
      const [name = '', ...seconds] = line.split(' ')
      return [name, seconds.map((offset) => Number(offset) * 1000)]
    }),
  )
  const hours = additional[abbreviation]
  return [...(hours === undefined ? [] : [hours * 3_600_000]), ...(abbreviations.get(abbreviation) ?? [])]
}

/** The three-letter names of zones in the IANA database. Intl has more, from old Java, where BST is Dhaka. */
const shortZoneNames = new Set(['CET', 'EET', 'EST', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'WET'])

/** A cache, since the calls of one second share a date. Other dates cost a parse per call. */
const maxCached = 64
const cache = new Map<string, { cst: string | undefined; instants: readonly number[] }>()

/**
 * The instant a Date header names, in milliseconds; undefined for one that cannot be read or does not exist.
 * The weekday is not checked against the date. Letters count in either case.
 */
export function parseHttpDate(text: string, options: HttpDateOptions = {}): number | undefined {
  const { cst, near } = options
  const instants = readCached(text, cst)
  const [first] = instants
  if (instants.length < 2 || first === undefined || near === undefined) return first
  return instants.reduce((nearest, one) => (Math.abs(one - near) < Math.abs(nearest - near) ? one : nearest), first)
}

/** The text in place of the time zone of an otherwise valid date, if it is not one. */
export function unknownZoneOf(text: string): string | undefined {
  const [before] = beforeZone.exec(text) ?? []
  if (before === undefined) return undefined
  const zone = text.slice(before.length)
  return zoneForm.test(zone) && meaningsOf(zone.toUpperCase()).length > 0 ? undefined : zone
}

function readCached(text: string, cst: string | undefined): readonly number[] {
  const known = cache.get(text)
  if (known !== undefined && known.cst === cst) return known.instants
  const instants = read(text, cst)
  if (instants.length === 0) return instants
  for (const oldest of cache.keys()) {
    if (cache.size < maxCached) break
    cache.delete(oldest)
  }
  cache.set(text, { cst, instants })
  return instants
}

function read(text: string, cst: string | undefined): readonly number[] {
  const [before = '', day, month = '', year, hour, minute, second] = beforeZone.exec(text) ?? []
  const zone = text.slice(before.length)
  if (before === '' || !before.endsWith(' ') || !zoneForm.test(zone)) return []
  const local = utcInstant(Number(year), monthNumber(month), Number(day), Number(hour), Number(minute), Number(second))
  if (local === undefined) return []
  return meaningsOf(zone.toUpperCase(), cst).flatMap((offsetAt) => instantsOf(local, offsetAt))
}

/** Everything that the name of a zone may mean; the time-zone database has one abbreviation for several places. */
function meaningsOf(zone: string, cst?: string): OffsetAt[] {
  const fixed = zone === 'GMT' ? 0 : numericOffset(zone.replace(/^(?:GMT|UTC)(?=[+-])/, ''))
  if (fixed !== undefined) return [() => fixed]
  if (zone === 'CST' && cst !== undefined) return [zoneOffset(cst)].filter((meaning) => meaning !== undefined)
  const isName = zone.length === 3 ? shortZoneNames.has(zone) : /^[A-Z]/.test(zone)
  const abbreviated = offsetsOf(zone).map(
    (offset): OffsetAt =>
      () =>
        offset,
  )
  const named = isName ? zoneOffset(zone) : undefined
  return [...abbreviated, named].filter((meaning) => meaning !== undefined)
}
