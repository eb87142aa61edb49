import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeUploadsLabel, isUnsent } from './active-uploads-label.ts'
import { messages } from './messages.ts'
import type { UploadItem } from './upload-queue.ts'

const item = (name: string, state: UploadItem['state']) => ({ name, state })
const label = (...items: ReturnType<typeof item>[]): string => activeUploadsLabel(items, messages.en)

test('one upload is named', () => assert.equal(label(item('a', 'sending')), 'Uploading a'))

test('a queued upload counts as uploading', () => assert.equal(label(item('a', 'waiting')), 'Uploading a'))

test('several uploads are counted', () => {
  assert.equal(label(item('a', 'sending'), item('b', 'waiting')), 'Uploading 2 packages')
})

test('paused uploads are counted separately', () => {
  assert.equal(label(item('a', 'paused')), '1 upload is paused')
  assert.equal(label(item('a', 'paused'), item('b', 'sending')), 'Uploading b · 1 upload is paused')
  assert.equal(
    label(item('a', 'sending'), item('b', 'paused'), item('c', 'paused'), item('d', 'sending')),
    'Uploading 2 packages · 2 uploads are paused',
  )
})

test('no upload has no label', () => assert.equal(label(), ''))

const unsent: Record<UploadItem['state'], boolean> = {
  waiting: true,
  sending: true,
  paused: true,
  processing: false,
  done: false,
  failed: false,
}
for (const [state, expected] of Object.entries(unsent))
  test(`an upload that is ${state} ${expected ? 'has' : 'has no'} bytes to send`, () =>
    assert.equal(isUnsent({ state: state as UploadItem['state'] }), expected))
