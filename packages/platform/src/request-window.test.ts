import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestWindow } from './request-window.ts'

test('starts as many requests as fit, and the next when one has ended', async () => {
  const window = new RequestWindow(2)
  const ends: (() => void)[] = []
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve))
  await window.start(work)
  await window.start(work)
  let isThird = false
  const third = window.start(work).then(() => {
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

test('the first failure prevents further requests and is the failure of all', async () => {
  const window = new RequestWindow(4)
  const failure = new Error('lost')
  const fail = async (error: Error): Promise<never> => {
    throw error
  }
  await Promise.all([window.start(() => fail(failure)), window.start(() => fail(new Error('also lost')))])
  await new Promise(setImmediate)
  await assert.rejects(
    window.start(async () => assert.fail('it started')),
    (error) => error === failure,
  )
  await assert.rejects(window.drain(), (error) => error === failure)
})
