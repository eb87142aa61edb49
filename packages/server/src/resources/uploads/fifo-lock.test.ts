import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { FifoLock } from './fifo-lock.ts'

test('the second request waits for the first, which is interrupted', async () => {
  const lock = new FifoLock()
  const first = await lock.acquire('a')
  assert.equal(first.signal.aborted, false)
  let isSecond = false
  const second = lock.acquire('a').then((hold) => {
    isSecond = true
    return hold
  })
  await tick()
  assert.deepEqual([first.signal.aborted, isSecond], [true, false])
  first[Symbol.dispose]()
  assert.equal((await second).signal.aborted, false)
})

test('a request that waited while a third arrived is interrupted before it starts', async () => {
  const lock = new FifoLock()
  const first = await lock.acquire('a')
  const [second, third] = [lock.acquire('a'), lock.acquire('a')]
  first[Symbol.dispose]()
  const hold = await second
  assert.equal(hold.signal.aborted, true)
  hold[Symbol.dispose]()
  assert.equal((await third).signal.aborted, false)
})

test('uploads do not wait for each other', async () => {
  const lock = new FifoLock()
  const a = await lock.acquire('a')
  await lock.acquire('b')
  assert.equal(a.signal.aborted, false)
})

test('all holders can be interrupted, and no lock remains', async () => {
  const lock = new FifoLock()
  const hold = await lock.acquire('a')
  const ended = lock.interruptAll(new Error('the end'))
  assert.match(String(hold.signal.reason), /the end/)
  hold[Symbol.dispose]()
  await ended
  assert.equal(lock.isLocked('a'), false)
})
