import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waveFailure } from './wave-failure.ts'

test('the reason of a failed wave contains its numbers; others are texts', () => {
  assert.deepEqual(waveFailure('1 of 2 hosts of wave 3 failed'), ['1', '2', '3'])
  assert.equal(waveFailure('alert DiskFull fires'), undefined)
})
