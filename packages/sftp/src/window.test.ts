import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Window } from './window.ts'

test('as many are under way as fit, and the next begins when one has ended', async () => {
  const window = new Window(2)
  const ends: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve))
  await window.begin(work)
  await window.begin(work)
  let isThird = false
  const third = window.begin(work).then(() => {
    isThird = true
  })
  await new Promise(setImmediate)
  assert.deepEqual([ends.length, isThird], [2, false])
  ends[0]?.()
  await third
  assert.equal(ends.length, 3)
  const drained = window.drain()
  for (const end of ends) end()
  await drained
})

test('the first that fails stops the rest, and is what all are told', async () => {
  const window = new Window(4)
  const failure = new Error('lost')
  const fail = async (error: Error): Promise<never> => {
    throw error
  }
  await Promise.all([window.begin(() => fail(failure)), window.begin(() => fail(new Error('also lost')))])
  await new Promise(setImmediate)
  await assert.rejects(
    window.begin(async () => assert.fail('it began all the same')),
    (error) => error === failure,
  )
  await assert.rejects(window.drain(), (error) => error === failure)
})
