import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { FairQueue } from './fair-queue.ts'

const limits = { running: 2, runningPerUser: 1, waitMs: 10_000 }

/** Work that ends when it is told to, and notes that it began. */
function works(queue: FairQueue) {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const start = (user: string, name: string, hungUp?: AbortSignal): Promise<void> =>
    queue.run({ user, maxWaiting: 3, ...(hungUp && { hungUp: () => hungUp }) }, () => {
      began.push(name)
      return new Promise((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { began, start, end }
}

test('a user with much to do leaves room for others, who are served in turn', async () => {
  const { began, start, end } = works(new FairQueue(limits))
  const all = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1'), start('c', 'c1')]
  assert.deepEqual(began, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(began, ['a1', 'b1', 'a2'])
  await end('a2')
  assert.deepEqual(began, ['a1', 'b1', 'a2', 'c1'], 'a has had its turn')
  await end('b1')
  assert.deepEqual(began, ['a1', 'b1', 'a2', 'c1', 'a3'])
  await end('c1')
  await end('a3')
  await Promise.all(all)
})

test('what fails makes room too', async () => {
  const queue = new FairQueue(limits)
  for (let time = 0; time < 3; time++)
    await assert.rejects(
      queue.run({ user: 'a', maxWaiting: 3 }, async () => {
        throw new Error('failed')
      }),
      /failed/,
    )
})

test('too many that wait are refused, and what waits too long is not run any more', async () => {
  const queue = new FairQueue({ ...limits, waitMs: 20 })
  const { began, start, end } = works(queue)
  const first = start('a', 'a1')
  const waiting = ['a2', 'a3', 'a4'].map((name) => start('a', name))
  const is503 = (error: unknown) => error instanceof ApiError && error.code === 'SYS.1010'
  await assert.rejects(start('a', 'a5'), is503)
  for (const one of waiting) await assert.rejects(one, is503)
  await end('a1')
  await first
  assert.deepEqual(began, ['a1'])
  const last = start('a', 'a6')
  await end('a6')
  await last
})

test('a caller that disconnects makes way for the next, and its work is not run', async () => {
  const { began, start, end } = works(new FairQueue(limits))
  const caller = new AbortController()
  const first = start('a', 'a1')
  const gone = start('a', 'a2', caller.signal)
  const next = start('a', 'a3')
  caller.abort()
  await assert.rejects(gone, /closed its connection/)
  await assert.rejects(start('a', 'a4', caller.signal), /closed its connection/)
  await end('a1')
  assert.deepEqual(began, ['a1', 'a3'])
  await end('a3')
  await Promise.all([first, next])
})
