import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatTimestamp, instantsOf, makeTimestampFormat, parseTimestamp, zoneOffset } from './timestamps.ts'

const dayMs = 86_400_000
const at = (iso: string): number => Date.parse(iso)
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
/** Years 1 to 9999. */
const anyInstant = fc.integer({ min: at('0001-01-02T00:00:00Z'), max: at('9999-12-30T00:00:00Z') })
const recentInstant = fc.integer({ min: at('1975-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') })
const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000

test('formats as the API does: unpadded day and hour, twelve hours', () => {
  const rows = [
    ['2026-11-05T01:02:03.999Z', 'Nov 5, 2026 1:02:03 AM'],
    ['2026-11-15T00:00:00Z', 'Nov 15, 2026 12:00:00 AM'],
    ['2026-11-15T12:00:00Z', 'Nov 15, 2026 12:00:00 PM'],
    ['2026-11-15T23:59:59Z', 'Nov 15, 2026 11:59:59 PM'],
    ['1969-12-31T23:59:59.999Z', 'Dec 31, 1969 11:59:59 PM'],
    ['2024-02-29T13:00:00Z', 'Feb 29, 2024 1:00:00 PM'],
    ['0099-01-01T00:00:00Z', 'Jan 1, 0099 12:00:00 AM'],
  ] as const
  for (const [iso, text] of rows) assert.equal(formatTimestamp(at(iso)), text)
})

test('formats in another zone, across a clock change', () => {
  const shanghai = makeTimestampFormat('Asia/Shanghai')
  assert.equal(shanghai(at('2026-11-05T16:00:00Z')), 'Nov 6, 2026 12:00:00 AM')
  const lordHowe = makeTimestampFormat('Australia/Lord_Howe') // half an hour of summer time, in the middle of a UTC hour
  assert.equal(lordHowe(at('2026-10-03T15:29:59Z')), 'Oct 4, 2026 1:59:59 AM')
  assert.equal(lordHowe(at('2026-10-03T15:30:00Z')), 'Oct 4, 2026 2:30:00 AM')
})

test('formats in every zone as Intl does', () => {
  const formats = new Map<string, [Intl.DateTimeFormat, (ms: number) => string]>()
  const of = (timeZone: string) => {
    const pair = formats.get(timeZone) ?? [
      new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'medium' }),
      makeTimestampFormat(timeZone),
    ]
    formats.set(timeZone, pair)
    return pair
  }
  const check = (timeZone: string, ms: number) => {
    const [intl, ours] = of(timeZone)
    const [date, year, time] = intl.format(ms).split(', ')
    assert.equal(ours(ms), `${date}, ${year} ${time?.replace('\u202f', ' ')}`)
  }
  fc.assert(fc.property(zones, recentInstant, check), { numRuns: 2000 })
})

test('refuses an invalid time and an unknown zone', () => {
  assert.throws(() => formatTimestamp(Number.NaN), RangeError)
  assert.throws(() => formatTimestamp(Number.POSITIVE_INFINITY), RangeError)
  assert.throws(() => makeTimestampFormat('Mars/Olympus'), /unknown time zone: Mars\/Olympus/)
})

test('reads every form of a query', () => {
  const rows = [
    ['Nov 5, 2026 1:02:03 AM', '2026-11-05T01:02:03Z'],
    ['nov 05, 2026 12:02:03 am', '2026-11-05T00:02:03Z'],
    ['Nov 5, 2026 12:02:03 PM', '2026-11-05T12:02:03Z'],
    ['2026-11-05 13:02:03', '2026-11-05T13:02:03Z'],
    ['2026-11-05T13:02:03Z', '2026-11-05T13:02:03Z'],
    ['2026-11-05T13:02:03.5Z', '2026-11-05T13:02:03.500Z'],
    ['2026-11-05T13:02:03.123999+08:00', '2026-11-05T05:02:03.123Z'],
    ['2026-11-05T13:02:03-0330', '2026-11-05T16:32:03Z'],
    ['2026-11-05T13:02:03+08', '2026-11-05T05:02:03Z'],
    ['2026-11-05T13:02:03 08:00', '2026-11-05T05:02:03Z'],
    ['2026-11-05T13:02', '2026-11-05T13:02:00Z'],
    ['2026-11-05t13:02:03,250z', '2026-11-05T13:02:03.250Z'],
    ['2026-11-05', '2026-11-05T00:00:00Z'],
    ['0050-11-05', '0050-11-05T00:00:00Z'],
  ] as const
  for (const [text, iso] of rows) assert.equal(parseTimestamp(text), at(iso), text)
})

test('reads a time without offset in the zone', () => {
  for (const text of ['Nov 5, 2026 1:02:03 AM', '2026-11-05 01:02:03', '2026-11-05T01:02:03']) {
    assert.equal(parseTimestamp(text, 'Asia/Shanghai'), at('2026-11-04T17:02:03Z'), text)
  }
  assert.equal(parseTimestamp('2026-11-05', 'Asia/Shanghai'), at('2026-11-04T16:00:00Z'))
  assert.equal(parseTimestamp('2026-11-05T01:02:03Z', 'Asia/Shanghai'), at('2026-11-05T01:02:03Z'))
})

test('refuses text that is not a time', () => {
  const texts = [
    ...[
      '',
      'now',
      '5',
      '1700000000000',
      'Nov 31, 2026 1:02:03 AM',
      'Nov 5, 2026 0:02:03 AM',
      'Nov 5, 2026 13:02:03 PM',
    ],
    ...['Nox 5, 2026 1:02:03 AM', 'Nov 5, 2026 1:02:60 AM', 'Nov 5, 2026 1:60:03 AM', 'Nov 0, 2026 1:02:03 AM'],
    ...['Nov 5, 2026 1:02:03', 'Nov 5, 26 1:02:03 AM', '2026-02-29', '2026-13-01', '2026-00-01', '2026-01-00'],
    ...['2026-11-05 24:00:00', '2026-11-05T01:02:60Z', '2026-11-05T01:02:03+24:00', '2026-11-05T01:02:03+08:60'],
    ...['2026-11-05T01:02:03.Z', '2026-11-05T', '2026-11-05Z', ' 2026-11-05', '2026-11-05\n', '2026-1-5'],
  ]
  for (const text of texts) assert.equal(parseTimestamp(text), undefined, text)
})

test('reads the earlier of two instants, and shifts a skipped time by the gap', () => {
  const newYork = (text: string) => parseTimestamp(text, 'America/New_York')
  assert.equal(newYork('2026-11-01 01:30:00'), at('2026-11-01T05:30:00Z'))
  assert.equal(newYork('2026-03-08 02:30:00'), at('2026-03-08T07:30:00Z'))
  assert.equal(parseTimestamp('2018-11-04', 'America/Sao_Paulo'), at('2018-11-04T03:00:00Z')) // no midnight that day
})

test('parses its own output in UTC', () => {
  const check = (ms: number) => assert.equal(parseTimestamp(formatTimestamp(ms)), wholeSecond(ms))
  fc.assert(fc.property(anyInstant, check), { numRuns: 2000 })
  const checkIso = (ms: number) => assert.equal(parseTimestamp(new Date(ms).toISOString()), ms)
  fc.assert(fc.property(anyInstant, checkIso), { numRuns: 2000 })
})

test('parses its own output in every zone', () => {
  const check = (zone: string, ms: number) => {
    const read = parseTimestamp(makeTimestampFormat(zone)(ms), zone) ?? Number.NaN
    const offsetAt = zoneOffset(zone)
    assert.ok(offsetAt)
    // an hour that clocks repeat has one text for two instants
    assert.ok(instantsOf(read + offsetAt(read), offsetAt).includes(wholeSecond(ms)))
  }
  fc.assert(fc.property(zones, recentInstant, check), { numRuns: 1000 })
})

test('finds the instants of a local time as Temporal does', () => {
  const check = (zone: string, local: number) => {
    const fields = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC').toPlainDateTime()
    const expected = fields.toZonedDateTime(zone).epochMilliseconds
    assert.equal(parseTimestamp(fields.toString({ smallestUnit: 'millisecond' }), zone), expected)
  }
  fc.assert(fc.property(zones, recentInstant, check), { numRuns: 1000 })
  for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    const start = at('2011-01-01T00:10:00Z') // the year in which Apia skipped a day
    const offsetAt = zoneOffset(zone) ?? assert.fail()
    let days = 0
    for (let day = start; day < start + 366 * dayMs; day += dayMs) {
      if (offsetAt(day - dayMs) === offsetAt(day + 2 * dayMs)) continue
      days++
      for (let halfHour = 0; halfHour < 48; halfHour++) check(zone, day + halfHour * 1_800_000)
    }
    assert.ok(days >= 4, `${zone} changes its clocks`)
  }
})

test('accepts every name of a zone and refuses unknown names', () => {
  assert.equal(zoneOffset('asia/shanghai')?.(0), 8 * 3_600_000)
  assert.equal(zoneOffset('PRC')?.(0), 8 * 3_600_000)
  assert.equal(zoneOffset('-06:00')?.(0), -6 * 3_600_000)
  for (const name of ['', ' ', 'Mars/Olympus', '\0', 'A'.repeat(100_000)]) assert.equal(zoneOffset(name), undefined)
})
