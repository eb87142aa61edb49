import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settledDescriptors } from '../process-usage.ts'
import { runWithSlowClients, type SlowFigures, type SlowMode, slowModes, startServer } from './scenario.ts'

const connections = 1000
const perSecond = 200
const seconds = 60
const maxP99Ms = 250
const spareDescriptors = 3

test('the server stays healthy with 1,000 slow clients of every kind, and disconnects them', async (t) => {
  const { server, url, pid, before } = await startServer(t)
  const all: SlowFigures[] = []
  for (const mode of Object.keys(slowModes) as SlowMode[]) {
    const figures = await runWithSlowClients({ url, pid }, mode, { connections, perSecond, seconds })
    assert.deepEqual(figures.failures, [], mode)
    // responses to ranges are short, and their connections end soon
    if (mode !== 'ranges') assert.ok(figures.maxDescriptors >= 0.9 * connections, `${mode}: ${figures.maxDescriptors}`)
    all.push(figures)
  }
  const summaries = all.map(
    ({ mode, seconds, p99Ms, maxMs }) =>
      `${mode} ${p99Ms.toFixed(0)} ms (slowest ${maxMs.toFixed(0)}, closed after ${seconds.toFixed(0)} s)`,
  )
  const probes = all.reduce((sum, one) => sum + one.probes, 0)
  t.diagnostic(
    `slow clients, sqlite: ${connections} of each kind; /healthz probed ${probes} times, 0 errors, p99 with ` +
      `slow ${summaries.join(', ')}; descriptors ${before} before, ${await settledDescriptors(pid)} after`,
  )
  for (const { mode, p99Ms } of all) assert.ok(p99Ms <= maxP99Ms, `${mode}: p99 ${p99Ms} ms`)
  assert.ok((await settledDescriptors(pid)) <= before + spareDescriptors)
  assert.equal(server.stderr, '')
})
