import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ClientGone, type HashClient, HashQueue, HashQueueFull } from './hash-queue.ts'

const limits = { atOnce: 1, maxPerShare: 3, maxWaiting: 6, maxWaitMs: 60_000 }

/** A queue whose only place is taken until `letGo`, with the order in which the others were served. */
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
  const letGo = async () => {
    held.resolve()
    await first
  }
  return { queue, served, add, from, letGo }
}

test('sources take turns, whatever number of clients each of them has waiting', async () => {
  const { served, from, letGo } = await busy()
  const all = [from('a', 'a1'), from('a', 'a2'), from('a', 'a3'), from('b', 'b1'), from('c', 'c1'), from('b', 'b2')]
  await letGo()
  await Promise.all(all)
  assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a share holds so many and no more, and the others still have room', async () => {
  const { from, letGo } = await busy()
  const all = [from('a'), from('a'), from('a'), from('a'), from('b')]
  await letGo()
  assert.deepEqual(await Promise.all(all), ['served', 'served', 'served', 'HashQueueFull', 'served'])
})

test('when every place is taken, the last of the longest line gives way to a new source, and only then', async () => {
  const { from, letGo } = await busy()
  const all = [from('a'), from('a'), from('a'), from('b'), from('c'), from('d'), from('e'), from('f'), from('g')]
  await letGo()
  const [, a2, a3, , , , e, f, g] = await Promise.all(all)
  assert.deepEqual([a2, a3], ['HashQueueFull', 'HashQueueFull'])
  assert.deepEqual([e, f, g], ['served', 'served', 'HashQueueFull'])
})

test('signed-in callers have every other turn, and places of their own', async () => {
  const { served, add, from, letGo } = await busy()
  const strangers = ['a', 'b', 'c', 'd', 'e', 'f'].map((share) => from(share))
  const callers = ['one', 'two'].map((share) => add(share, { isSignedIn: true, share }))
  await letGo()
  await Promise.all([...strangers, ...callers])
  assert.deepEqual(served, ['one', 'a', 'two', 'b', 'c', 'd', 'e', 'f'])
})

test('whoever has waited too long is refused, and its place is free', async () => {
  const { served, from, letGo } = await busy({ maxWaitMs: 5, maxWaiting: 1 })
  assert.equal(await from('a'), 'HashQueueFull')
  const next = from('b')
  await letGo()
  assert.equal(await next, 'served')
  assert.deepEqual(served, ['b'])
})

test('nothing is worked out for a client that has closed its connection', async () => {
  const { served, add, from, letGo } = await busy()
  const connection = new AbortController()
  const gone = { isSignedIn: false, share: 'a', disconnectSignal: connection.signal }
  const waiting = [add('gone 1', gone), add('gone 2', gone), from('a', 'still there')]
  connection.abort()
  assert.deepEqual(await Promise.all(waiting.slice(0, 2)), ['ClientGone', 'ClientGone'])
  assert.equal(await add('gone before', gone), 'ClientGone')
  await letGo()
  await waiting[2]
  assert.deepEqual(served, ['still there'])
})

test('the place of work that failed is free again', async () => {
  const queue = new HashQueue(limits)
  const client = { isSignedIn: false, share: 'a' }
  await assert.rejects(queue.run(client, () => Promise.reject(new HashQueueFull())))
  await assert.rejects(
    queue.run({ ...client, disconnectSignal: AbortSignal.abort() }, async () => {}),
    ClientGone,
  )
  await nextTurn()
  assert.equal(await queue.run(client, async () => 'done'), 'done')
})
