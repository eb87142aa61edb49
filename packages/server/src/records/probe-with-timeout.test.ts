import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { probeWithTimeout } from './probe-with-timeout.ts'

const silent = (cause: unknown): ApiError => new ApiError('HOST.1003', 'it did not answer', { cause })

test('returns the answer', async () => {
  assert.deepEqual(await probeWithTimeout(async () => 5, silent), { answer: 5 })
})

test('returns a failure with a code unchanged, and any other as no answer', async () => {
  const coded = new ApiError('HOST.1004', 'another key')
  assert.deepEqual(await probeWithTimeout(() => Promise.reject(coded), silent), { failure: coded, isCertain: true })
  const result = await probeWithTimeout(() => Promise.reject(new Error('reset')), silent)
  assert.ok('failure' in result && result.isCertain)
  assert.equal(result.failure.code, 'HOST.1003')
})

test('a failure is uncertain when the process was suspended meanwhile', async () => {
  const result = await probeWithTimeout(async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3700)
    throw new Error('too late')
  }, silent)
  assert.ok('failure' in result && !result.isCertain)
})
