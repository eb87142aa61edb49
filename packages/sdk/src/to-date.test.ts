import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { toDate } from './to-date.ts'
import { Wharf } from './wharf.ts'

for (const [text, timeZone, expected] of [
  ['Nov 5, 2026 1:02:03 AM', undefined, '2026-11-05T01:02:03.000Z'],
  ['Nov 5, 2026 12:02:03 AM', undefined, '2026-11-05T00:02:03.000Z'],
  ['Nov 5, 2026 12:02:03 PM', 'UTC', '2026-11-05T12:02:03.000Z'],
  ['Nov 5, 2026 1:02:03 AM', 'Asia/Shanghai', '2026-11-04T17:02:03.000Z'],
  ['Nov 5, 2026 1:02:03 AM', 'Asia/Kolkata', '2026-11-04T19:32:03.000Z'],
  ['Jul 5, 2026 1:02:03 AM', 'America/New_York', '2026-07-05T05:02:03.000Z'],
  ['Jan 5, 2026 1:02:03 AM', 'America/New_York', '2026-01-05T06:02:03.000Z'],
  // clocks go from 2:00 to 3:00 on Mar 8, and from 2:00 back to 1:00 on Nov 1
  ['Mar 8, 2026 1:59:59 AM', 'America/New_York', '2026-03-08T06:59:59.000Z'],
  ['Mar 8, 2026 3:00:00 AM', 'America/New_York', '2026-03-08T07:00:00.000Z'],
  ['Nov 1, 2026 1:30:00 AM', 'America/New_York', '2026-11-01T05:30:00.000Z'],
  ['Nov 1, 2026 2:00:00 AM', 'America/New_York', '2026-11-01T07:00:00.000Z'],
] as const) {
  test(`${text} in ${timeZone ?? 'no zone'} is ${expected}`, () => {
    assert.equal(toDate(text, { timeZone }).toISOString(), expected)
  })
}

for (const text of ['', '2026-11-05', 'Nov 5, 2026 1:02:03', 'Nov 5, 2026 13:02:03 AM', 'null'])
  test(`${JSON.stringify(text)} is rejected`, () => assert.throws(() => toDate(text), /is not a time of the API/))

test('an unknown zone is rejected', () =>
  assert.throws(() => toDate('Nov 5, 2026 1:02:03 AM', { timeZone: 'Mars/Base' }), RangeError))

for (const zone of ['UTC', 'Asia/Shanghai']) {
  test(`a client reads the times of a server in ${zone} correctly`, async (t) => {
    const server = await TestServer.start(t, { environment: { WHARF_TIMEZONE: zone } })
    const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
    const wharf = new Wharf({ url: server.url, accessKey: { id, secret } })
    assert.throws(() => wharf.toDate('Nov 5, 2026 1:02:03 AM'), /call the server first/)
    const { inventory } = await wharf.tags.create({ name: 'now' })
    assert.equal(wharf.timeZone, zone)
    assert.ok(Math.abs(wharf.toDate(inventory.createDate).getTime() - Date.now()) < 60_000)
  })
}
