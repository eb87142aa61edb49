import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settledDescriptors } from '../process-usage.ts'
import { runWithSlowClients, type SlowMode, slowModes, startServer } from './scenario.ts'

const connections = 500
const seconds = 2
/** On a machine that has other things to do too, and of so few answers that p99 is the slowest; the long form is stricter. */
const maxP90Ms = 500
const maxP99Ms = 1500
const spareDescriptors = 3

test('the server stays healthy with 500 slow clients of every kind', async (t) => {
  const { server, url, pid, before } = await startServer(t)
  for (const mode of Object.keys(slowModes) as SlowMode[]) {
    const figures = await runWithSlowClients({ url, pid }, mode, { connections, perSecond: connections, seconds })
    const { maxDescriptors, probes, p90Ms, p99Ms, failures } = figures
    t.diagnostic(
      `${mode}: ${maxDescriptors} descriptors, ${probes} probes, p90 ${p90Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`,
    )
    assert.deepEqual(failures, [], mode)
    assert.ok(p90Ms <= maxP90Ms, `${mode}: p90 ${p90Ms} ms`)
    assert.ok(p99Ms <= maxP99Ms, `${mode}: p99 ${p99Ms} ms`)
    // responses to ranges are short, and their connections end soon
    if (mode !== 'ranges') assert.ok(maxDescriptors >= 0.9 * connections, `${mode}: only ${maxDescriptors} descriptors`)
    const left = await settledDescriptors(pid)
    assert.ok(left <= before + spareDescriptors, `${mode}: ${left} descriptors are open, and were ${before}`)
  }
  assert.equal(server.stderr, '')
})
