import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { LoadWorld } from './load.ts'
import { lowestOfEach, slope } from './load-figures.ts'

const onSqlite = testEngine === 'sqlite' ? test : () => {}

const minutes = 30
const callsPerSecond = 200
const connections = 50
const sampleMs = 10_000
const samplesPerMinute = 60_000 / sampleMs
/** Until the heap has found its size. */
const warmUpMinutes = 5
const maxMiBPerMinute = 0.5
const maxDescriptorsPerMinute = 0.05
/** 300,000 calls are made meanwhile: fifteen bytes lost at each would be more. */
const maxLiveGrowthMiB = 4

onSqlite('half an hour at 200 calls a second meets no error, and memory and descriptors stay flat', async (t) => {
  const world = await LoadWorld.start(t)
  const warm = await world.run({ connections, seconds: warmUpMinutes * 60, callsPerSecond }, sampleMs)
  const { liveMiB: liveBefore } = await world.settled()
  const seconds = (minutes - warmUpMinutes) * 60
  const { report, samples } = await world.run({ connections, seconds, callsPerSecond }, sampleMs)
  const { liveMiB: liveAfter } = await world.settled()

  const memory = lowestOfEach(
    samples.map(({ residentMiB }) => residentMiB),
    samplesPerMinute,
  )
  const descriptors = samples.map((one) => one.descriptors)
  const perMinute = { memory: slope(memory), descriptors: slope(descriptors) * samplesPerMinute }
  const calls = warm.report.calls + report.calls
  t.diagnostic(
    `load, sqlite: ${calls} calls in ${minutes} min, ${warm.report.errorCount + report.errorCount} errors, ` +
      `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, slowest ${report.maxMs.toFixed(0)} ms; ` +
      `from minute ${warmUpMinutes} on: live memory ${liveBefore.toFixed(1)} to ${liveAfter.toFixed(1)} MiB, ` +
      `resident ${memory[0]?.toFixed(0)} to ${memory.at(-1)?.toFixed(0)} MiB, ${perMinute.memory.toFixed(2)} MiB a minute, ` +
      `descriptors ${Math.min(...descriptors)} to ${Math.max(...descriptors)}, ${perMinute.descriptors.toFixed(3)} a minute`,
  )
  assert.deepEqual([...warm.report.errors, ...report.errors], [])
  assert.ok(calls > 0.98 * minutes * 60 * callsPerSecond, `only ${calls} calls could be made`)
  assert.ok(perMinute.memory < maxMiBPerMinute, `memory rises by ${perMinute.memory} MiB a minute`)
  assert.ok(perMinute.descriptors < maxDescriptorsPerMinute, `descriptors rise by ${perMinute.descriptors} a minute`)
  assert.ok(liveAfter - liveBefore < maxLiveGrowthMiB, `${liveAfter - liveBefore} MiB are lost`)
  assert.equal(await world.tagsLeft(), 0)
  assert.equal(world.logged, '')
})
