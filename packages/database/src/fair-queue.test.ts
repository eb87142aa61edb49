import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { FairQueue } from './fair-queue.ts'

const limits = { running: 2, runningPerUser: 1, waitMs: 10_000 }

/** Records which work has started, and ends it on demand. */
function works(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const start = (user: string, name: string, disconnectSignal?: AbortSignal): Promise<void> =>
    queue.run({ user, maxWaiting: 3, ...(disconnectSignal && { disconnectSignal: () => disconnectSignal }) }, () => {
      started.push(name)
      return new Promise((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { started, start, end }
}

test('a user with many calls leaves capacity to others, who are served round-robin', async () => {
  const { started, start, end } = works(new FairQueue(limits))
  const all = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1'), start('c', 'c1')]
  assert.deepEqual(started, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(started, ['a1', 'b1', 'a2'])
  await end('a2')
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'c1'], 'a has had its turn')
  await end('b1')
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'c1', 'a3'])
  await end('c1')
  await end('a3')
  await Promise.all(all)
})

test('failed work frees its slot', async () => {
  const queue = new FairQueue(limits)
  for (let time = 0; time < 3; time++)
    await assert.rejects(
      queue.run({ user: 'a', maxWaiting: 3 }, async () => {
        throw new Error('failed')
      }),
      /failed/,
    )
})

test('too many waiting calls are rejected, and one that waits too long is not run', async () => {
  const queue = new FairQueue({ ...limits, waitMs: 20 })
  const { started, start, end } = works(queue)
  const first = start('a', 'a1')
  const waiting = ['a2', 'a3', 'a4'].map((name) => start('a', name))
  const is503 = (error: unknown) => error instanceof ApiError && error.code === 'SYS.1010'
  await assert.rejects(start('a', 'a5'), is503)
  for (const one of waiting) await assert.rejects(one, is503)
  await end('a1')
  await first
  assert.deepEqual(started, ['a1'])
  const last = start('a', 'a6')
  await end('a6')
  await last
})

test('a caller that disconnects leaves the queue, and its work is not run', async () => {
  const { started, start, end } = works(new FairQueue(limits))
  const caller = new AbortController()
  const first = start('a', 'a1')
  const gone = start('a', 'a2', caller.signal)
  const next = start('a', 'a3')
  caller.abort()
  await assert.rejects(gone, /closed its connection/)
  await assert.rejects(start('a', 'a4', caller.signal), /closed its connection/)
  await end('a1')
  assert.deepEqual(started, ['a1', 'a3'])
  await end('a3')
  await Promise.all([first, next])
})
