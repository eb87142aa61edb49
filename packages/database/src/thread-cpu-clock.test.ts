import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ThreadCpuClock } from './thread-cpu-clock.ts'

test('what starts within a millisecond shares a reading of the clock, and nothing that starts later does', () => {
  const clock = new ThreadCpuClock()
  const first = clock.startMs(1000)
  while (clock.nowMs() - first < 2) {}
  assert.equal(clock.startMs(1000.9), first)
  assert.ok(clock.startMs(1001) - first >= 2)
})
