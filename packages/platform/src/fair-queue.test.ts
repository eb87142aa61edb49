import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './api-error.ts'
import { FairQueue, type FairQueueLimits, type Waiter } from './fair-queue.ts'

const limits: FairQueueLimits = {
  running: 2,
  runningPerShare: 1,
  waitMs: 10_000,
  tooMany: () => new ApiError('SYS.1010', 'too many'),
  tooLate: () => new ApiError('SYS.1010', 'too late'),
}

/** Records which work has started, and ends it on demand. */
function works(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const start = (share: string, name = share, more: Partial<Waiter> = {}): Promise<string> =>
    queue
      .run({ share, maxWaiting: 3, ...more }, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      })
      .then(
        () => 'served',
        (error: Error) => error.message,
      )
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const endAll = async (): Promise<void> => {
    for (let at = 0; at < started.length; at++) await end(started[at] ?? '')
  }
  return { started, start, end, endAll }
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
      queue.run({ share: 'a', maxWaiting: 3 }, async () => {
        throw new Error('failed')
      }),
      /failed/,
    )
})

test('too many waiting calls are rejected, and one that waits too long is not run', async () => {
  const { started, start, end } = works(new FairQueue({ ...limits, waitMs: 20 }))
  const first = start('a', 'a1')
  const waiting = ['a2', 'a3', 'a4'].map((name) => start('a', name))
  assert.equal(await start('a', 'a5'), 'too many')
  assert.deepEqual(await Promise.all(waiting), ['too late', 'too late', 'too late'])
  await end('a1')
  await first
  assert.deepEqual(started, ['a1'])
  const last = start('a', 'a6')
  await end('a6')
  assert.equal(await last, 'served')
})

test('a caller that disconnects leaves the queue, and its work is not run', async () => {
  const { started, start, endAll } = works(new FairQueue(limits))
  const caller = new AbortController()
  const disconnectSignal = () => caller.signal
  const first = start('a', 'a1')
  const gone = start('a', 'a2', { disconnectSignal })
  const next = start('a', 'a3')
  caller.abort()
  assert.match(await gone, /closed its connection/)
  assert.match(await start('a', 'a4', { disconnectSignal }), /closed its connection/)
  await endAll()
  assert.deepEqual(await Promise.all([first, next]), ['served', 'served'])
  assert.deepEqual(started, ['a1', 'a3'])
})

/** One slot, which `busy` has, and at most six that wait. */
function busyQueue() {
  const { running: _, runningPerShare: __, ...others } = limits
  const queue = works(new FairQueue({ ...others, running: 1, maxWaiting: 6 }))
  void queue.start('busy')
  return queue
}

test('when the queue is full, and only then, the last of the longest share is rejected for a new one', async () => {
  const { start, endAll } = busyQueue()
  const all = [['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']].map(
    ([share = '', name]) => start(share, name),
  )
  await endAll()
  const [a1, a2, a3, ...others] = await Promise.all(all)
  assert.deepEqual([a1, a2, a3], ['served', 'too many', 'too many'])
  assert.deepEqual(others, ['served', 'served', 'served', 'served', 'served', 'too many'])
})

test('preferred waiters have every other slot, and their own limit', async () => {
  const { started, start, endAll } = busyQueue()
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((share) => start(share))
  all.push(...['one', 'two'].map((share) => start(share, share, { isPreferred: true })))
  await endAll()
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['served']))
  assert.deepEqual(started, ['busy', 'one', 'a', 'two', 'b', 'c', 'd', 'e', 'f'])
})
