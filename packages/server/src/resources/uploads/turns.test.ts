import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { Turns } from './turns.ts'

test('the second waits for the first, which is interrupted', async () => {
  const turns = new Turns()
  const first = await turns.take('a')
  assert.equal(first.signal.aborted, false)
  let isSecond = false
  const second = turns.take('a').then((turn) => {
    isSecond = true
    return turn
  })
  await tick()
  assert.deepEqual([first.signal.aborted, isSecond], [true, false])
  first[Symbol.dispose]()
  assert.equal((await second).signal.aborted, false)
})

test('one that waited while a third came is interrupted before it begins', async () => {
  const turns = new Turns()
  const first = await turns.take('a')
  const [second, third] = [turns.take('a'), turns.take('a')]
  first[Symbol.dispose]()
  const turn = await second
  assert.equal(turn.signal.aborted, true)
  turn[Symbol.dispose]()
  assert.equal((await third).signal.aborted, false)
})

test('uploads do not wait for each other', async () => {
  const turns = new Turns()
  const a = await turns.take('a')
  await turns.take('b')
  assert.equal(a.signal.aborted, false)
})

test('all can be ended, and nothing is left', async () => {
  const turns = new Turns()
  const turn = await turns.take('a')
  const ended = turns.endAll(new Error('the end'))
  assert.match(String(turn.signal.reason), /the end/)
  turn[Symbol.dispose]()
  await ended
  assert.equal(turns.isTaken('a'), false)
})
