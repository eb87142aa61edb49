import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { SuspensionWatch } from './suspension-watch.ts'

/** As a process that is stopped: nothing of it gets on. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('a process that stood still is noticed, one that was only busy is not', async () => {
  using watch = new SuspensionWatch()
  standStill(300)
  await delay(700)
  assert.equal(watch.wasSuspended, false)
  standStill(3700)
  assert.equal(watch.wasSuspended, true)
})

test('it is noticed also when what was waited for comes first on waking', async () => {
  using watch = new SuspensionWatch()
  const late = delay(3000).then(() => watch.wasSuspended)
  standStill(3700)
  assert.equal(await late, true)
})
