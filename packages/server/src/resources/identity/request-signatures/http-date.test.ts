import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseHttpDate, unknownZoneOf } from './http-date.ts'
import { zoneAbbreviations } from './zone-abbreviations.ts'

const at = (iso: string): number => Date.parse(iso)
const noon = at('2026-11-05T12:00:00Z')
const hour = 3_600_000
const recentSecond = fc
  .integer({ min: at('1975-01-01T00:00:00Z') / 1000, max: at('2040-01-01T00:00:00Z') / 1000 })
  .map((second) => second * 1000)

/** `Thu, 05 Nov 2026 12:00:00` as clocks show it that far from UTC. */
const written = (ms: number, offset: number): string => new Date(ms + offset).toUTCString().replace(/ GMT$/, '')

test('reads GMT and its other names', () => {
  for (const zone of ['GMT', 'UTC', 'Z', 'UT', 'gmt', 'Utc', 'z']) {
    assert.equal(parseHttpDate(`Thu, 05 Nov 2026 12:00:00 ${zone}`), noon, zone)
  }
})

test('reads offsets in every form, alone and after GMT or UTC', () => {
  for (const prefix of ['', 'GMT', 'UTC', 'utc']) {
    for (const offset of ['+08', '+0800', '+08:00']) {
      assert.equal(parseHttpDate(`Thu, 05 Nov 2026 20:00:00 ${prefix}${offset}`), noon, prefix + offset)
    }
    assert.equal(parseHttpDate(`Thu, 05 Nov 2026 08:30:00 ${prefix}-03:30`), noon)
  }
})

test('reads the abbreviations that clients write at their usual offsets, in summer too', () => {
  const hours = {
    ...{ CST: 8, EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7, JST: 9, KST: 9, HKT: 8, SGT: 8 },
    ...{ ICT: 7, MMT: 6.5, IST: 5.5, CET: 1, CEST: 2, MSK: 3 },
  }
  for (const [name, offset] of Object.entries(hours)) {
    for (const ms of [noon, at('2026-07-01T12:00:00Z')]) {
      assert.equal(parseHttpDate(`${written(ms, offset * hour)} ${name}`, { near: ms }), ms, name)
      assert.equal(parseHttpDate(`${written(ms, offset * hour)} ${name.toLowerCase()}`, { near: ms }), ms, name)
    }
  }
})

test('reads CST as configured', () => {
  const text = 'Thu, 05 Nov 2026 06:00:00 CST'
  assert.equal(parseHttpDate(text, { cst: '-06:00' }), noon)
  assert.equal(parseHttpDate(text, { cst: 'America/Chicago' }), noon)
  assert.equal(parseHttpDate('Wed, 01 Jul 2026 07:00:00 CST', { cst: 'America/Chicago' }), at('2026-07-01T12:00:00Z'))
})

/** Every meaning counts, when it is the one that puts the date near the present. */
test('reads every abbreviation of the time-zone database as everything it has meant', () => {
  const table = zoneAbbreviations.trim().split('\n')
  assert.ok(table.length > 100)
  for (const line of table) {
    const [name = '', ...offsets] = line.split(' ')
    for (const seconds of offsets)
      assert.equal(parseHttpDate(`${written(noon, Number(seconds) * 1000)} ${name}`, { near: noon }), noon, line)
  }
})

test('decides between the meanings of an abbreviation by the time of the server', () => {
  const rows = [
    ...[['CST', 8] as const, ['CST', -6] as const, ['CST', -5] as const, ['IST', 5.5] as const, ['IST', 2] as const],
    ...[['IST', 1] as const, ['BST', 1] as const, ['BST', -11] as const, ['AST', -4] as const, ['NST', -3.5] as const],
    ...[['EEST', 3] as const, ['AEDT', 11] as const, ['PST', 8] as const, ['cst', -6] as const],
  ]
  for (const [zone, offset] of rows)
    assert.equal(parseHttpDate(`${written(noon, offset * hour)} ${zone}`, { near: noon }), noon, `${zone} ${offset}`)
  assert.notEqual(parseHttpDate(`${written(noon, 3 * hour)} CST`, { near: noon }), noon)
  const chinese = `${written(noon, 8 * hour)} CST`
  assert.notEqual(parseHttpDate(chinese, { cst: '-06:00', near: noon }), noon, 'the setting leaves one meaning')
})

test('names an unknown time zone in an otherwise valid date', () => {
  for (const zone of ['XYZ', 'ECT', 'A', 'GMT+8', 'Asia/Nowhere', 'GMT GMT', '\u00e4', 'China Standard Time', ''])
    assert.equal(unknownZoneOf(`Thu, 05 Nov 2026 12:00:00 ${zone}`), zone)
  assert.equal(unknownZoneOf('Thu, 05 Nov 2026 12:00:00'), '')
  for (const text of ['Thu, 05 Nov 2026 12:00:00 GMT', 'Thu, 31 Nov 2026 12:00:00 CST', '2026-11-05T12:00:00Z', ''])
    assert.equal(unknownZoneOf(text), undefined, text)
})

test('reads IANA names, also old and short ones, in any case', () => {
  const rows = [
    ...[['Etc/UTC', 0] as const, ['etc/utc', 0] as const, ['PRC', 8] as const, ['prc', 8] as const],
    ...[['Asia/Shanghai', 8] as const, ['ASIA/KOLKATA', 5.5] as const, ['America/New_York', -5] as const],
    ...[['Etc/GMT+5', -5] as const, ['GB', 0] as const, ['ROK', 9] as const, ['HST', -10] as const],
    ...[['America/Argentina/ComodRivadavia', -3] as const, ['EST5EDT', -5] as const, ['GMT0', 0] as const],
  ]
  for (const [zone, offset] of rows)
    assert.equal(parseHttpDate(`${written(noon, offset * hour)} ${zone}`, { near: noon }), noon, zone)
})

test('refuses abbreviations that the time-zone database does not contain', () => {
  for (const zone of ['ECT', 'ART', 'XYZ', 'A', 'VST']) {
    assert.equal(parseHttpDate(`Thu, 05 Nov 2026 12:00:00 ${zone}`), undefined, zone)
  }
})

test('does not compare the weekday, but requires one', () => {
  assert.equal(parseHttpDate('Mon, 5 Nov 2026 12:00:00 GMT'), noon)
  assert.equal(parseHttpDate('MON, 05 NOV 2026 12:00:00 GMT'), noon)
  assert.equal(parseHttpDate('Foo, 05 Nov 2026 12:00:00 GMT'), undefined)
  assert.equal(parseHttpDate('05 Nov 2026 12:00:00 GMT'), undefined)
})

test('refuses dates and times that do not exist', () => {
  const parts = [
    ...['30 Feb 2026 12:00:00', '29 Feb 2026 12:00:00', '31 Nov 2026 12:00:00', '0 Nov 2026 12:00:00'],
    ...['32 Jan 2026 12:00:00', '05 Nov 2026 24:00:00', '05 Nov 2026 12:60:00', '05 Nov 2026 12:00:60'],
    ...['05 Foo 2026 12:00:00', '05 Nov 26 12:00:00', '05 Nov 2026 1:00:00', '005 Nov 2026 12:00:00'],
  ]
  for (const part of parts) assert.equal(parseHttpDate(`Thu, ${part} GMT`), undefined, part)
  assert.equal(parseHttpDate('Thu, 29 Feb 2024 12:00:00 GMT'), at('2024-02-29T12:00:00Z'))
})

test('refuses other shapes and zones', () => {
  const zones = [
    '',
    '+8',
    '+24:00',
    '+08:60',
    '+080',
    'GMT+8',
    'GMT +08:00',
    '+08:00:00',
    'GMT GMT',
    'GMT\n',
    'M\u017fK',
  ]
  for (const zone of zones) assert.equal(parseHttpDate(`Thu, 05 Nov 2026 12:00:00 ${zone}`), undefined, zone)
  for (const text of [
    '',
    'now',
    '2026-11-05T12:00:00Z',
    'Thursday, 05-Nov-26 12:00:00 GMT',
    'Thu Nov  5 12:00:00 2026',
  ]) {
    assert.equal(parseHttpDate(text), undefined, text)
  }
})

test('is correct around changes of daylight saving time', () => {
  const newYork = (text: string, near?: number) =>
    parseHttpDate(`${text} America/New_York`, near === undefined ? {} : { near })
  assert.equal(newYork('Sun, 08 Mar 2026 01:59:59'), at('2026-03-08T06:59:59Z'))
  assert.equal(newYork('Sun, 08 Mar 2026 02:30:00'), undefined) // clocks skip it
  assert.equal(newYork('Sun, 08 Mar 2026 03:00:00'), at('2026-03-08T07:00:00Z'))
  assert.equal(newYork('Sun, 01 Nov 2026 00:59:59'), at('2026-11-01T04:59:59Z'))
  assert.equal(newYork('Sun, 01 Nov 2026 02:00:00'), at('2026-11-01T07:00:00Z'))
  const [first, second] = [at('2026-11-01T05:30:00Z'), at('2026-11-01T06:30:00Z')]
  assert.equal(newYork('Sun, 01 Nov 2026 01:30:00'), first)
  assert.equal(newYork('Sun, 01 Nov 2026 01:30:00', second + 60_000), second)
  assert.equal(newYork('Sun, 01 Nov 2026 01:30:00', first - 60_000), first)
})

test('reads back every instant written in any zone', () => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const write = (zone: string, ms: number): string => {
    const format =
      formats.get(zone) ??
      new Intl.DateTimeFormat('en-GB', {
        ...{ timeZone: zone, weekday: 'short', day: '2-digit', month: 'short', year: 'numeric' },
        ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
      })
    formats.set(zone, format)
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const month = part.month?.slice(0, 3) // British English writes Sept
    return `${part.weekday}, ${part.day} ${month} ${part.year} ${part.hour}:${part.minute}:${part.second} ${zone}`
  }
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const check = (zone: string, ms: number) => assert.equal(parseHttpDate(write(zone, ms), { near: ms }), ms)
  fc.assert(fc.property(zones, recentSecond, check), { numRuns: 2000 })
})

test('reads back every instant written with any offset', () => {
  const two = (n: number): string => String(n).padStart(2, '0')
  const check = (ms: number, prefix: string, colon: string, sign: number, hours: number, minutes: number) => {
    const zone = `${prefix}${sign < 0 ? '-' : '+'}${two(hours)}${colon}${two(minutes)}`
    assert.equal(parseHttpDate(`${written(ms, sign * (hours * 60 + minutes) * 60_000)} ${zone}`), ms)
  }
  const prefixes = fc.constantFrom('', 'GMT', 'UTC')
  const colons = fc.constantFrom('', ':')
  const signs = fc.constantFrom(1, -1)
  fc.assert(fc.property(recentSecond, prefixes, colons, signs, fc.nat(23), fc.nat(59), check), { numRuns: 2000 })
})

test('neither throws nor caches wrong values for hostile texts', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
    fc.string({ maxLength: 70 }).map((zone) => `Thu, 05 Nov 2026 12:00:00 ${zone}`),
    fc.constantFrom('/', '_', '+', 'A/'.repeat(30)).map((zone) => `Thu, 05 Nov 2026 12:00:00 ${zone}`),
  )
  const check = (hostile: string) => {
    const read = parseHttpDate(hostile)
    assert.ok(read === undefined || Number.isSafeInteger(read))
    assert.equal(parseHttpDate(hostile), read)
  }
  fc.assert(fc.property(text, check), { numRuns: 2000 })
  assert.equal(parseHttpDate(`Thu, 05 Nov 2026 12:00:00 ${'A'.repeat(1_000_000)}`), undefined)
  assert.equal(parseHttpDate('Thu, 05 Nov 2026 12:00:00 GMT'), noon)
})
