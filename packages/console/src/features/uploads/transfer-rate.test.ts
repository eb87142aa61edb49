import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransferRate } from './transfer-rate.ts'

test('the rate is unknown before two samples', () => {
  const rate = new TransferRate()
  rate.add(0, 0)
  assert.equal(rate.bytesPerSecond, undefined)
  assert.equal(rate.secondsLeft(100), undefined)
})

test('returns the rate and the remaining time', () => {
  const rate = new TransferRate()
  rate.add(0, 0)
  rate.add(2000, 500)
  assert.equal(rate.bytesPerSecond, 250)
  assert.equal(rate.secondsLeft(1000), 2)
})

test('follows a line that has become slower, and forgets a pause', () => {
  const rate = new TransferRate()
  for (let second = 0; second <= 10; second++) rate.add(second * 1000, second * 1000)
  for (let second = 11; second <= 40; second++) rate.add(second * 1000, 10_000 + (second - 10) * 10)
  assert.equal(Math.round(rate.bytesPerSecond ?? 0), 10)
  rate.reset()
  rate.add(100_000, 10_300)
  rate.add(101_000, 11_300)
  assert.equal(rate.bytesPerSecond, 1000)
})
