import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { SuspensionWatch } from './suspension-watch.ts'

/** Blocks the process like SIGSTOP. */
function suspend(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

test('detects a suspended process, but not a busy one', async () => {
  using watch = new SuspensionWatch()
  suspend(300)
  await delay(700)
  assert.equal(watch.wasSuspended, false)
  suspend(3700)
  assert.equal(watch.wasSuspended, true)
})

test('detects the suspension also when the awaited event is handled first', async () => {
  using watch = new SuspensionWatch()
  const late = delay(3000).then(() => watch.wasSuspended)
  suspend(3700)
  assert.equal(await late, true)
})
