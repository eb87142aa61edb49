import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TransferRate } from './transfer-rate.ts'

test('nothing is said of a pace before there are two looks at it', () => {
  const pace = new TransferRate()
  pace.add(0, 0)
  assert.equal(pace.bytesPerSecond, undefined)
  assert.equal(pace.secondsLeft(100), undefined)
})

test('tells the rate and the time that is left', () => {
  const pace = new TransferRate()
  pace.add(0, 0)
  pace.add(2000, 500)
  assert.equal(pace.bytesPerSecond, 250)
  assert.equal(pace.secondsLeft(1000), 2)
})

test('follows a line that has become slower, and forgets a pause', () => {
  const pace = new TransferRate()
  for (let second = 0; second <= 10; second++) pace.add(second * 1000, second * 1000)
  for (let second = 11; second <= 40; second++) pace.add(second * 1000, 10_000 + (second - 10) * 10)
  assert.equal(Math.round(pace.bytesPerSecond ?? 0), 10)
  pace.forget()
  pace.add(100_000, 10_300)
  pace.add(101_000, 11_300)
  assert.equal(pace.bytesPerSecond, 1000)
})
