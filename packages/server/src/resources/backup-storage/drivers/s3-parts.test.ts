import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partBytes } from './s3-upload.ts'

const maxParts = 10_000
const mebibyte = 1024 * 1024

test('10,000 parts are enough for the largest package, and each has a size that S3 allows', () => {
  const sizes = Array.from({ length: maxParts }, (_, index) => partBytes(index))
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) > 1024 * 1024 * mebibyte)
  assert.ok(sizes.every((size) => size >= 5 * mebibyte && size <= 5 * 1024 * mebibyte))
})

test('up to 8 GB parts stay small, because they are in memory', () => {
  assert.equal(partBytes(999), 8 * mebibyte)
})
