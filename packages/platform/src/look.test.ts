import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'
import { look } from './look.ts'

const silent = (cause: unknown): ApiError => new ApiError('HOST.1003', 'it did not answer', { cause })

test('an answer is given on', async () => {
  assert.deepEqual(await look(async () => 5, silent), { answer: 5 })
})

test('a failure of the catalogue is told as it is, any other as silence', async () => {
  const known = new ApiError('HOST.1004', 'another key')
  assert.deepEqual(await look(() => Promise.reject(known), silent), { failure: known, isSure: true })
  const seen = await look(() => Promise.reject(new Error('gone')), silent)
  assert.ok('failure' in seen && seen.isSure)
  assert.equal(seen.failure.code, 'HOST.1003')
})

test('whoever stood still meanwhile is not sure of a failure', async () => {
  const seen = await look(async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3700)
    throw new Error('too late')
  }, silent)
  assert.ok('failure' in seen && !seen.isSure)
})
