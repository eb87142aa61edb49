import {
  instantsOf,
  monthNumber,
  numericOffset,
  type OffsetAt,
  utcInstant,
  zoneOffset,
} from '../platform/timestamps.ts'

export interface HttpDateOptions {
  /** What CST means, as an offset (`-06:00`) or an IANA name; China's +08:00 by default. */
  cst?: string
  /** The server's time. It decides between the two instants of an hour that a zone's clocks show twice a year. */
  near?: number
}

const shape = /^(?:mon|tue|wed|thu|fri|sat|sun), (\d\d?) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) ([\w+\-/:]{1,64})$/i

/** Hours from UTC. These win over Intl, which takes CST for Chicago and gives CET and PST summer time. */
const abbreviations = new Map(
  Object.entries({
    ...{ GMT: 0, UTC: 0, UT: 0, EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, JST: 9, KST: 9 },
    ...{ HKT: 8, SGT: 8, ICT: 7, MMT: 6.5, IST: 5.5, CET: 1, CEST: 2, MSK: 3 },
  }),
)

/** The rest of the three-letter names in the IANA database. Intl knows more, from old Java: BST is Dhaka there. */
const shortZoneNames = new Set(['EET', 'HST', 'MET', 'PRC', 'ROC', 'ROK', 'UCT', 'WET'])

/** A memo, since the calls of one second share a date. A flood of other dates costs a parse per call, no more. */
const maxRemembered = 64
const remembered = new Map<string, { cst: string; instants: readonly number[] }>()

/**
 * The instant a Date header names, in milliseconds; undefined for one that cannot be read or does not exist.
 * The weekday is not checked against the date. Letters count in either case.
 */
export function parseHttpDate(text: string, options: HttpDateOptions = {}): number | undefined {
  const { cst = '+08:00', near } = options
  const [first, second] = recall(text, cst)
  if (first === undefined || second === undefined || near === undefined) return first
  return Math.abs(second - near) < Math.abs(first - near) ? second : first
}

function recall(text: string, cst: string): readonly number[] {
  const known = remembered.get(text)
  if (known?.cst === cst) return known.instants
  const instants = read(text, cst)
  if (instants.length === 0) return instants
  for (const oldest of remembered.keys()) {
    if (remembered.size < maxRemembered) break
    remembered.delete(oldest)
  }
  remembered.set(text, { cst, instants })
  return instants
}

function read(text: string, cst: string): readonly number[] {
  const [, day, month = '', year, hour, minute, second, zone = ''] = shape.exec(text) ?? []
  const local = utcInstant(Number(year), monthNumber(month), Number(day), Number(hour), Number(minute), Number(second))
  const offsetAt = local === undefined ? undefined : offsetOf(zone.toUpperCase(), cst)
  return local === undefined || offsetAt === undefined ? [] : instantsOf(local, offsetAt)
}

function offsetOf(zone: string, cst: string): OffsetAt | undefined {
  const hours = abbreviations.get(zone)
  const fixed = hours === undefined ? numericOffset(zone.replace(/^(?:GMT|UTC)(?=[+-])/, '')) : hours * 3_600_000
  if (fixed !== undefined) return () => fixed
  if (zone === 'CST') return zoneOffset(cst)
  const isName = zone.length === 3 ? shortZoneNames.has(zone) : /^[A-Z]/.test(zone)
  return isName ? zoneOffset(zone) : undefined
}
