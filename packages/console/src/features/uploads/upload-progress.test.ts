import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentOf, totalProgress } from './upload-progress.ts'
import type { UploadItem } from './upload-queue.ts'

const item = (change: Partial<UploadItem>): UploadItem => ({
  id: '1',
  key: 'k',
  fileName: 'a.tar',
  name: 'a',
  state: 'sending',
  totalBytes: 100,
  sentBytes: 0,
  percent: 0,
  bytesPerSecond: undefined,
  secondsLeft: undefined,
  packageUuid: undefined,
  isPublished: false,
  releaseUuid: undefined,
  failure: undefined,
  ...change,
})

const percentages: [sentBytes: number, totalBytes: number, percent: number][] = [
  [0, 100, 0],
  [1, 3, 33],
  [999, 1000, 99],
  [1000, 1000, 100],
  [0, 0, 100],
]
for (const [sentBytes, totalBytes, percent] of percentages)
  test(`${sentBytes} of ${totalBytes} bytes are ${percent}%`, () =>
    assert.equal(percentOf({ sentBytes, totalBytes }), percent))

test('the total adds sizes and rates', () => {
  const total = totalProgress([
    item({ sentBytes: 50, totalBytes: 100, bytesPerSecond: 10 }),
    item({ sentBytes: 0, totalBytes: 300, bytesPerSecond: 15 }),
  ])
  assert.deepEqual(total, { sentBytes: 50, totalBytes: 400, bytesPerSecond: 25, secondsLeft: 14 })
})

test('without a known rate there is no remaining time', () => {
  assert.deepEqual(totalProgress([item({ sentBytes: 10 }), item({ state: 'paused' })]), {
    sentBytes: 10,
    totalBytes: 200,
  })
})

test('the total is unknown while the server has not responded for an upload that is being sent', () => {
  const unknown = item({ sentBytes: undefined })
  assert.deepEqual(totalProgress([item({ sentBytes: 10 }), unknown]), { sentBytes: undefined, totalBytes: 200 })
  const queued = item({ sentBytes: undefined, state: 'waiting' })
  assert.equal(totalProgress([item({ sentBytes: 10 }), queued]).sentBytes, 10)
})

test('nothing to upload is complete', () => assert.equal(percentOf({ ...totalProgress([]) }), 100))
