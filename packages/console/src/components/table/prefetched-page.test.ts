import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrefetchedPage } from './prefetched-page.ts'

const setup = () => {
  const shown: string[] = []
  let place = '#/hosts'
  const page = new PrefetchedPage(() => place)
  const request = (name: string, read: Promise<void> | undefined) =>
    page.show(
      () => read,
      () => void shown.push(name),
    )
  return { shown, request, open: (other: string) => (place = other) }
}

test('a page is shown when its records have arrived, or when they take long', async () => {
  const { shown, request } = setup()
  await request('2', Promise.resolve())
  await request('3', new Promise(() => {}))
  await request('4', undefined)
  assert.deepEqual(shown, ['2', '3', '4'])
})

test('of two requests the last one is shown, whichever arrives first', async () => {
  const { shown, request } = setup()
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const requests = [request('2', first.promise), request('3', second.promise)]
  first.resolve()
  await requests[0]
  assert.deepEqual(shown, [])
  second.resolve()
  await requests[1]
  assert.deepEqual(shown, ['3'])
})

test('a page is not shown when another place was opened meanwhile', async () => {
  const { shown, request, open } = setup()
  const read = Promise.withResolvers<void>()
  const requested = request('2', read.promise)
  open('#/jobs')
  read.resolve()
  await requested
  assert.deepEqual(shown, [])
})
