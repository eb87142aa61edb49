import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineTime } from './line-time.ts'

test('the time of a line is in UTC or in the zone of the browser', () => {
  const before = process.env.TZ
  process.env.TZ = 'Asia/Shanghai'
  try {
    assert.equal(lineTime('2026-11-05T17:02:03.045Z', 'utc'), '2026-11-05 17:02:03.045Z')
    assert.equal(lineTime('2026-11-05T17:02:03.045Z', 'local'), '2026-11-06 01:02:03.045')
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
})
