import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killUnderWrites } from '@wharf/testkit'

test('200 times kill -9 under writes and refusals: acknowledged rows exist, audited, and the server is ready in 3 s', async (t) => {
  const { acknowledged, refused, recordedRefusals, maxReadyMs, allowedReadyMs } = await killUnderWrites(t, 200)
  t.diagnostic(`${acknowledged} rows acknowledged, ready again after at most ${Math.round(maxReadyMs)} ms`)
  t.diagnostic(`${refused} calls refused, ${recordedRefusals} of them counted in the audit trail`)
  assert.ok(maxReadyMs <= allowedReadyMs, `${Math.round(maxReadyMs)} ms, more than ${Math.round(allowedReadyMs)} ms`)
})
