import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killUnderWrites } from '@wharf/testkit'

const kills = process.env.TEST_LONG ? 7 : 4

test(`${kills} times kill -9 under writes: every acknowledged row exists, and the server is ready again in 3 s`, {
  timeout: 600_000,
}, async (t) => {
  const { acknowledged, maxReadyMs, allowedReadyMs } = await killUnderWrites(t, kills)
  t.diagnostic(`${acknowledged} rows acknowledged, ready again after at most ${Math.round(maxReadyMs)} ms`)
  assert.ok(maxReadyMs <= allowedReadyMs, `${Math.round(maxReadyMs)} ms, more than ${Math.round(allowedReadyMs)} ms`)
})
