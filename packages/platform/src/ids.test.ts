import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOrderedUuid, newSequentialUuid, newUuid, shareOf } from './ids.ts'

test('ids are UUIDs of version 4 without hyphens, and unique', () => {
  // more than one batch of random bytes
  const ids = Array.from({ length: 10_000 }, newUuid)
  for (const id of ids) assert.match(id, /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  assert.equal(new Set(ids).size, ids.length)
})

test('every random bit is one as often as zero', () => {
  const count = 4000
  const ones = Array.from({ length: 128 }, () => 0)
  for (let drawn = 0; drawn < count; drawn++) {
    const bits = BigInt(`0x${newUuid()}`)
    for (let bit = 0; bit < 128; bit++) if ((bits >> BigInt(bit)) & 1n) ones[bit] = (ones[bit] ?? 0) + 1
  }
  const fixed = new Set([76, 77, 78, 79, 62, 63])
  // eight standard deviations
  for (const [bit, found] of ones.entries())
    if (!fixed.has(bit)) assert.ok(Math.abs(found - count / 2) < 4 * Math.sqrt(count), `bit ${bit}: ${found}`)
})

test('ordered ids are UUIDs of version 7, whose start is the time', () => {
  for (const ms of [0, 1, Date.UTC(2026, 10, 5), 2 ** 48 - 1]) {
    const ids = Array.from({ length: 1000 }, () => newOrderedUuid(ms))
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
      assert.equal(Number.parseInt(id.slice(0, 12), 16), ms)
    }
    assert.deepEqual(ids, [...new Set(ids)].sort(), 'in the order of their creation')
  }
})

test('sequential ids are UUIDs, are in order, and differ in their first five digits', () => {
  const ids = Array.from({ length: 1000 }, newSequentialUuid)
  for (const id of ids) assert.match(id, /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  assert.equal(new Set(ids.map((id) => id.slice(0, 5))).size, ids.length)
  // the sequence may wrap around once
  assert.ok(ids.filter((id, index) => index > 0 && id < (ids[index - 1] ?? '')).length <= 1)
})

test('records that were added together have shares all over the interval', () => {
  const chosen = Array.from({ length: 1000 }, (_, index) => index.toString(16).padStart(32, '0'))
  for (const ids of [chosen, Array.from({ length: 1000 }, newSequentialUuid)]) {
    const tenths = Map.groupBy(ids.map(shareOf), (share) => Math.floor(share * 10))
    assert.deepEqual([...tenths.keys()].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const [tenth, { length }] of tenths) assert.ok(length > 50 && length < 150, `${length} in tenth ${tenth}`)
  }
})
