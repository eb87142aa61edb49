import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoadFixture } from './scenario.ts'

const connections = 500
/** A thousand calls and more are made: a few kilobytes lost at each would be more. The long form finds smaller leaks. */
const maxLiveGrowthMiB = 2.5
/** Pages that the allocator keeps. */
const maxResidentGrowthMiB = 24
/** For host probes and the inspector. */
const spareDescriptors = 5

test('500 connections for some seconds cause no error and leave nothing behind', async (t) => {
  const fixture = await LoadFixture.start(t)
  // what is opened once is open before anything is compared
  const { report: warm } = await fixture.run({ connections, seconds: 1 }, 1000)
  assert.deepEqual(warm.errors, [])
  const before = await fixture.settledUsage()

  const { report, samples } = await fixture.run({ connections, seconds: 2 }, 200)
  const most = Math.max(...samples.map(({ descriptors }) => descriptors))
  const after = await fixture.settledUsage()
  t.diagnostic(
    `${report.calls} calls, p50 ${report.p50Ms.toFixed(0)} ms, p99 ${report.p99Ms.toFixed(0)} ms; ` +
      `live memory ${before.liveMiB.toFixed(1)} and ${after.liveMiB.toFixed(1)} MiB, ` +
      `resident ${before.residentMiB.toFixed(0)} and ${after.residentMiB.toFixed(0)} MiB; ` +
      `descriptors ${before.descriptors}, ${most} and ${after.descriptors}`,
  )
  assert.deepEqual(report.errors, [])
  assert.equal(report.errorCount, 0)
  assert.ok(most >= connections, `at most ${most} descriptors: there were fewer connections`)
  assert.equal(await fixture.countTags(), 0)
  assert.ok(after.liveMiB - before.liveMiB < maxLiveGrowthMiB, 'memory is lost')
  assert.ok(after.residentMiB - before.residentMiB < maxResidentGrowthMiB, 'memory is lost outside the heap')
  assert.ok(after.descriptors - before.descriptors <= spareDescriptors, 'descriptors are lost')
  assert.equal(fixture.logged, '')
})
