import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Deadline, onAbort, untilAborted, waitAtMost, withDeadline } from './abort.ts'

const reason = new Error('stopped')
const never = new Promise<never>(() => {})

test('a listener is called once, also for a signal that was aborted before, and not after disposal', () => {
  const calls: string[] = []
  const [open, disposed] = [new AbortController(), new AbortController()]
  onAbort(open.signal, () => calls.push('open'))
  onAbort(AbortSignal.abort(), () => calls.push('aborted before'))
  onAbort(disposed.signal, () => calls.push('disposed'))[Symbol.dispose]()
  onAbort(undefined, () => calls.push('no signal'))[Symbol.dispose]()
  for (const controller of [open, open, disposed]) controller.abort()
  assert.deepEqual(calls, ['aborted before', 'open'])
})

test('work ends with its result, with the reason of the signal, or with the given reason', async () => {
  const controller = new AbortController()
  assert.equal(await untilAborted(controller.signal, Promise.resolve(1)), 1)
  const waiting = untilAborted(controller.signal, never)
  controller.abort(reason)
  await assert.rejects(waiting, reason)
  await assert.rejects(untilAborted(controller.signal, never), reason)
  await assert.rejects(
    untilAborted(controller.signal, never, () => new Error('other')),
    /other/,
  )
})

test('work that fails after it was given up is not an unhandled rejection', async () => {
  const work = Promise.withResolvers<void>()
  await assert.rejects(untilAborted(AbortSignal.abort(reason), work.promise), reason)
  await assert.rejects(
    withDeadline(1, work.promise, () => reason),
    reason,
  )
  work.reject(new Error('late failure'))
  await delay(1)
})

test('work ends with its result before the deadline, else with the error of the deadline', async () => {
  const late = () => reason
  assert.equal(await withDeadline(60_000, Promise.resolve(1), late), 1)
  await assert.rejects(withDeadline(60_000, Promise.reject(new Error('failed')), late), /failed/)
  await assert.rejects(withDeadline(1, never, late), reason)
})

test('a bounded wait ends with the work or with the time', async () => {
  const keepAlive = setInterval(() => {}, 1000)
  await waitAtMost(60_000, Promise.resolve())
  await waitAtMost(1, never)
  clearInterval(keepAlive)
  await assert.rejects(waitAtMost(60_000, Promise.reject(reason)), reason)
})

test('a deadline is aborted by its parent or by its time, and by neither after disposal', async () => {
  const parent = new AbortController()
  using aborted = new Deadline(parent.signal, 60_000, new Error('late'))
  parent.abort(reason)
  assert.equal(aborted.signal.reason, reason)
  const open = new AbortController().signal
  using passed = new Deadline(open, 1, reason)
  const disposed = new Deadline(open, 1, reason)
  disposed[Symbol.dispose]()
  await delay(20)
  assert.equal(passed.signal.reason, reason)
  assert.equal(disposed.signal.aborted, false)
})
