import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killUnderWrites } from '@wharf/testkit'

test('200 times kill -9 under writes: every acknowledged row exists, and the server is ready again in 3 s', async (t) => {
  const { acknowledged, maxReadyMs, allowedReadyMs } = await killUnderWrites(t, 200)
  t.diagnostic(`${acknowledged} rows acknowledged, ready again after at most ${Math.round(maxReadyMs)} ms`)
  assert.ok(maxReadyMs <= allowedReadyMs, `${Math.round(maxReadyMs)} ms, more than ${Math.round(allowedReadyMs)} ms`)
})
