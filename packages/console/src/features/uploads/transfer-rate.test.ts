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

test('follows a connection that becomes slower, and ignores a pause', () => {
  const rate = new TransferRate()
  for (let second = 0; second <= 10; second++) rate.add(second * 1000, second * 1000)
  for (let second = 11; second <= 40; second++) rate.add(second * 1000, 10_000 + (second - 10) * 10)
  assert.equal(Math.round(rate.bytesPerSecond ?? 0), 10)
  rate.reset()
  rate.add(100_000, 10_300)
  rate.add(101_000, 11_300)
  assert.equal(rate.bytesPerSecond, 1000)
})

test('samples at the same time have no rate', () => {
  const rate = new TransferRate()
  rate.add(1000, 0)
  rate.add(1000, 500)
  assert.equal(rate.bytesPerSecond, undefined)
})

test('the first second has no rate', () => {
  const rate = new TransferRate()
  rate.add(0, 0)
  rate.add(900, 5000)
  assert.equal(rate.bytesPerSecond, undefined)
  rate.add(1000, 5000)
  assert.equal(rate.bytesPerSecond, 5000)
})

test('bytes that are sent again do not make the rate negative', () => {
  const rate = new TransferRate()
  rate.add(0, 0)
  rate.add(2000, 8000)
  rate.add(3000, 4000)
  assert.equal(rate.bytesPerSecond, undefined)
  rate.add(5000, 6000)
  assert.deepEqual([rate.bytesPerSecond, rate.secondsLeft(10_000)], [1000, 4])
})

test('a transfer that does not progress has no remaining time', () => {
  const rate = new TransferRate()
  rate.add(0, 100)
  rate.add(5000, 100)
  assert.equal(rate.bytesPerSecond, 0)
  assert.equal(rate.secondsLeft(1000), undefined)
})

test('the remaining time is never negative', () => {
  const rate = new TransferRate()
  rate.add(0, 0)
  rate.add(1000, 2000)
  assert.equal(rate.secondsLeft(1000), 0)
})

test('samples older than the window do not count', () => {
  const rate = new TransferRate()
  rate.add(0, 0)
  rate.add(15_000, 15_000)
  assert.equal(rate.bytesPerSecond, 1000)
  rate.add(30_000, 15_000)
  assert.equal(rate.bytesPerSecond, 0)
})
