import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceChange, spaceText } from './space.ts'

const space = (usedPercent: number, isAlmostFull: number | null) => ({
  totalCapacity: 100 * 2 ** 30,
  availableCapacity: (100 - usedPercent) * 2 ** 30,
  isAlmostFull,
})

const rows: [string, ReturnType<typeof space>, boolean | undefined][] = [
  ['89% is not almost full', space(89, null), undefined],
  ['90% is almost full', space(90, null), true],
  ['it is reported once', space(95, 1), undefined],
  ['a little less is still almost full', space(86, 1), undefined],
  ['less than 85% is no longer almost full', space(84, 1), false],
  ['after that, 90% is a new crossing', space(90, 0), true],
  ['a storage without a size is never full', { totalCapacity: 0, availableCapacity: 0, isAlmostFull: null }, undefined],
]
for (const [name, given, change] of rows) test(name, () => assert.equal(spaceChange(given), change))

test('the text names the share, the size and the free space', () =>
  assert.deepEqual(spaceText(space(93, null)), {
    en: '93% of 100.0 GiB is used; 7.0 GiB is free',
    zh: '100.0 GiB 中已使用 93%，剩余 7.0 GiB',
  }))
