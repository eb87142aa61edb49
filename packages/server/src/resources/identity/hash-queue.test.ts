import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ClientDisconnected, type HashClient, HashQueue, HashQueueFull } from './hash-queue.ts'

const limits = { concurrency: 1, maxPerShare: 3, maxWaiting: 6, maxWaitMs: 60_000 }

/** A queue whose only slot is busy until `release`, with the order in which the others were served. */
async function busy(more: Partial<typeof limits> = {}) {
  const queue = new HashQueue({ ...limits, ...more })
  const held = Promise.withResolvers<void>()
  const first = queue.run({ isSignedIn: true, share: 'first' }, () => held.promise)
  const served: string[] = []
  const add = (name: string, client: HashClient) =>
    queue
      .run(client, async () => void served.push(name))
      .then(
        () => 'served',
        (error: Error) => error.name,
      )
  const from = (share: string, name = share) => add(name, { isSignedIn: false, share })
  const release = async () => {
    held.resolve()
    await first
  }
  return { queue, served, add, from, release }
}

test('sources are served round-robin, independent of how many clients wait in each', async () => {
  const { served, from, release } = await busy()
  const all = [from('a', 'a1'), from('a', 'a2'), from('a', 'a3'), from('b', 'b1'), from('c', 'c1'), from('b', 'b2')]
  await release()
  await Promise.all(all)
  assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a share has a limit, and the others still have capacity', async () => {
  const { from, release } = await busy()
  const all = [from('a'), from('a'), from('a'), from('a'), from('b')]
  await release()
  assert.deepEqual(await Promise.all(all), ['served', 'served', 'served', 'HashQueueFull', 'served'])
})

test('when the queue is full, and only then, the last of the longest share is rejected for a new source', async () => {
  const { from, release } = await busy()
  const all = [from('a'), from('a'), from('a'), from('b'), from('c'), from('d'), from('e'), from('f'), from('g')]
  await release()
  const [, a2, a3, , , , e, f, g] = await Promise.all(all)
  assert.deepEqual([a2, a3], ['HashQueueFull', 'HashQueueFull'])
  assert.deepEqual([e, f, g], ['served', 'served', 'HashQueueFull'])
})

test('signed-in callers have every other slot, and their own limit', async () => {
  const { served, add, from, release } = await busy()
  const strangers = ['a', 'b', 'c', 'd', 'e', 'f'].map((share) => from(share))
  const callers = ['one', 'two'].map((share) => add(share, { isSignedIn: true, share }))
  await release()
  await Promise.all([...strangers, ...callers])
  assert.deepEqual(served, ['one', 'a', 'two', 'b', 'c', 'd', 'e', 'f'])
})

test('a client that has waited too long is rejected, and leaves the queue', async () => {
  const { served, from, release } = await busy({ maxWaitMs: 5, maxWaiting: 1 })
  assert.equal(await from('a'), 'HashQueueFull')
  const next = from('b')
  await release()
  assert.equal(await next, 'served')
  assert.deepEqual(served, ['b'])
})

test('no hash is computed for a client that has closed its connection', async () => {
  const { served, add, from, release } = await busy()
  const connection = new AbortController()
  const gone = { isSignedIn: false, share: 'a', disconnectSignal: connection.signal }
  const waiting = [add('gone 1', gone), add('gone 2', gone), from('a', 'still there')]
  connection.abort()
  assert.deepEqual(await Promise.all(waiting.slice(0, 2)), ['ClientDisconnected', 'ClientDisconnected'])
  assert.equal(await add('gone before', gone), 'ClientDisconnected')
  await release()
  await waiting[2]
  assert.deepEqual(served, ['still there'])
})

test('failed work frees its slot', async () => {
  const queue = new HashQueue(limits)
  const client = { isSignedIn: false, share: 'a' }
  await assert.rejects(queue.run(client, () => Promise.reject(new HashQueueFull())))
  await assert.rejects(
    queue.run({ ...client, disconnectSignal: AbortSignal.abort() }, async () => {}),
    ClientDisconnected,
  )
  await nextTurn()
  assert.equal(await queue.run(client, async () => 'done'), 'done')
})
