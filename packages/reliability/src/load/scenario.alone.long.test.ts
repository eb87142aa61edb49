import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slope } from './figures.ts'
import { LoadFixture } from './scenario.ts'

const minutes = 30
const callsPerSecond = 200
const connections = 50
const sampleMs = 10_000
const samplesPerMinute = 60_000 / sampleMs
/** Until the heap has found its size. */
const warmUpMinutes = 5
/** Of what is in use, and of what the machine has given for it; both once the garbage of a minute is collected. */
const maxMiBPerMinute = { live: 0.1, resident: 0.5 }
const maxDescriptorsPerMinute = 0.05

test('half an hour at 200 calls a second causes no error, and memory and descriptors stay flat', async (t) => {
  const fixture = await LoadFixture.start(t)
  const run = (runMinutes: number) =>
    fixture.run({ connections, seconds: runMinutes * 60, callsPerSecond }, sampleMs, samplesPerMinute)
  const warm = await run(warmUpMinutes)
  const { report, samples } = await run(minutes - warmUpMinutes)

  const clean = samples.filter(({ liveMiB }) => liveMiB !== undefined)
  const live = clean.map(({ liveMiB = 0 }) => liveMiB)
  const resident = clean.map(({ residentMiB }) => residentMiB)
  const descriptors = samples.map((one) => one.descriptors)
  const most = Math.max(...samples.map(({ residentMiB }) => residentMiB))
  const perMinute = {
    live: slope(live),
    resident: slope(resident),
    descriptors: slope(descriptors) * samplesPerMinute,
  }
  const calls = warm.report.calls + report.calls
  t.diagnostic(
    `load, sqlite: ${calls} calls in ${minutes} min, ${warm.report.errorCount + report.errorCount} errors, ` +
      `p50 ${report.p50Ms.toFixed(1)} ms, p99 ${report.p99Ms.toFixed(1)} ms, slowest ${report.maxMs.toFixed(0)} ms; ` +
      `from minute ${warmUpMinutes} on: in use ${live[0]?.toFixed(1)} to ${live.at(-1)?.toFixed(1)} MiB, ` +
      `${perMinute.live.toFixed(3)} a minute; resident without garbage ${resident[0]?.toFixed(0)} to ` +
      `${resident.at(-1)?.toFixed(0)} MiB, ${perMinute.resident.toFixed(2)} a minute, at most ${most.toFixed(0)} MiB; ` +
      `descriptors ${Math.min(...descriptors)} to ${Math.max(...descriptors)}, ${perMinute.descriptors.toFixed(3)} a minute`,
  )
  assert.deepEqual([...warm.report.errors, ...report.errors], [])
  assert.ok(calls > 0.98 * minutes * 60 * callsPerSecond, `only ${calls} calls could be made`)
  assert.ok(perMinute.live < maxMiBPerMinute.live, `what is in use rises by ${perMinute.live} MiB a minute`)
  assert.ok(perMinute.resident < maxMiBPerMinute.resident, `memory rises by ${perMinute.resident} MiB a minute`)
  assert.ok(perMinute.descriptors < maxDescriptorsPerMinute, `descriptors rise by ${perMinute.descriptors} a minute`)
  assert.equal(await fixture.countTags(), 0)
  assert.equal(fixture.logged, '')
})
