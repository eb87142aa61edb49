import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killUnderWrites } from '@wharf/testkit'

/** On each engine; durability.engines.long.test.ts has more. */
const kills = 20

test(`${kills} times kill -9 under writes and refusals: acknowledged rows exist, audited, and the server is ready in 3 s`, {
  timeout: 600_000,
}, async (t) => {
  const { acknowledged, refused, recordedRefusals, maxReadyMs, allowedReadyMs } = await killUnderWrites(t, kills)
  t.diagnostic(`${acknowledged} rows acknowledged, ready again after at most ${Math.round(maxReadyMs)} ms`)
  t.diagnostic(`${refused} calls refused, ${recordedRefusals} of them counted in the audit trail`)
  assert.ok(recordedRefusals > 0 && recordedRefusals <= refused + kills, `${recordedRefusals} of ${refused}`)
  assert.ok(maxReadyMs <= allowedReadyMs, `${Math.round(maxReadyMs)} ms, more than ${Math.round(allowedReadyMs)} ms`)
})
