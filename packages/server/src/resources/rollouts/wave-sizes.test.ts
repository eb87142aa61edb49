import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedFailures, checkMaxFailures, checkWaves, waveSizes } from './wave-sizes.ts'

for (const [waves, hosts, sizes] of [
  [['1', '10%', '100%'], 100, [1, 9, 90]],
  [['1', '10%', '100%'], 1, [1, 0, 0]],
  [['1', '10%', '100%'], 0, [0, 0, 0]],
  [['10%', '100%'], 70, [7, 63]],
  [['10%', '100%'], 71, [8, 63]],
  [['0.5%', '100%'], 1000, [5, 995]],
  [['5', '10%', '100%'], 20, [5, 0, 15]],
  [['1', '2'], 10, [1, 9]],
  [['100'], 10, [10]],
] as const)
  test(`the waves ${waves} of ${hosts} hosts have ${sizes} hosts`, () =>
    assert.deepEqual(waveSizes(waves, hosts), sizes))

for (const [waves, reason] of [
  [[], /at least one wave/],
  [['0'], /must be at least 1 host/],
  [['0%'], /must be at least 1 host/],
  [['101%'], /at most 100%/],
  [['50%', '10%'], /cumulative: 10% must not be less than the 50/],
  [['5', '3'], /cumulative: 3/],
] as const)
  test(`refuses the waves ${JSON.stringify(waves)}`, () => assert.throws(() => checkWaves(waves), { message: reason }))

test('accepts cumulative waves', () => checkWaves(['1', '1', '10%', '5', '100%']))

for (const [maxFailures, size, allowed] of [
  ['0', 100, 0],
  ['3', 2, 3],
  ['10%', 100, 10],
  ['10%', 19, 1],
  ['10%', 9, 0],
] as const)
  test(`${maxFailures} failures of ${size} hosts are ${allowed}`, () =>
    assert.equal(allowedFailures(maxFailures, size), allowed))

test('refuses more failures than all', () => {
  assert.throws(() => checkMaxFailures('101%'), { message: /at most 100%/ })
  checkMaxFailures('100%')
})
