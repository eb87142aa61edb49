import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { SerialQueue } from './serial-queue.ts'
import { CoalescedPoll, SingleFlight } from './single-flight.ts'

test('calls during a run share it, and the next call starts another, also after a failure', async () => {
  const flight = new SingleFlight()
  const ends = Promise.withResolvers<void>()
  let runs = 0
  const work = (): Promise<void> => {
    runs++
    return ends.promise
  }
  const shared = [flight.run(work), flight.run(work)]
  assert.equal(shared[0], flight.running)
  ends.reject(new Error('failed'))
  for (const one of shared) await assert.rejects(one, /failed/)
  assert.equal(flight.running, undefined)
  await flight.run(async () => void runs++)
  assert.equal(runs, 2)
})

test('requests during a poll cause one more poll, and none overlap', async () => {
  let polls = 0
  let current = 0
  const poll = new CoalescedPoll(async () => {
    assert.equal(++current, 1)
    polls++
    await turn()
    current--
  })
  poll.request()
  for (let n = 0; n < 5; n++) poll.request()
  while (poll.running) await poll.running
  assert.equal(polls, 2)
  poll.request()
  await poll.running
  assert.equal(polls, 3)
})

test('queued work runs one at a time and in order, past a failure', async () => {
  const queue = new SerialQueue()
  const order: string[] = []
  const add = (name: string, fails = false): Promise<string> =>
    queue.run(async () => {
      order.push(`${name} starts`)
      await turn()
      order.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const failing = assert.rejects(add('a', true), /a/)
  const second = add('b')
  assert.equal(queue.length, 2)
  await queue.drain()
  assert.deepEqual(order, ['a starts', 'a ends', 'b starts', 'b ends'])
  assert.equal(await second, 'b')
  await failing
  assert.equal(queue.length, 0)
})
