import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Upload, UploadedPackage, UploadOptions, Wharf } from '@wharf/sdk'
import { type UploadItem, UploadQueue } from './upload-queue.ts'

type Given = UploadOptions & { name?: string }

/** An upload that the test controls. */
class DrivenUpload {
  readonly options: Given
  readonly done: Promise<UploadedPackage>
  packageUuid: string | undefined
  isPaused = false
  readonly #end = Promise.withResolvers<UploadedPackage>()

  constructor(options: Given) {
    this.options = options
    this.done = this.#end.promise
    this.done.catch(() => {})
    options.signal?.addEventListener('abort', () => this.#end.reject(options.signal?.reason))
  }

  progress(packageUuid: string, sentBytes: number): void {
    this.packageUuid = packageUuid
    this.options.onProgress?.({ phase: 'sending', sentBytes, totalBytes: 100 })
  }

  async end(): Promise<void> {
    this.#end.resolve({ uuid: this.packageUuid } as UploadedPackage)
    await Promise.resolve()
  }

  async fail(error: Error): Promise<void> {
    this.#end.reject(error)
    await new Promise((resolve) => setImmediate(resolve))
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }
}

function setup() {
  const started: DrivenUpload[] = []
  const deleted: string[] = []
  const refusals: Error[] = []
  let nowMs = 0
  const wharf = {
    upload: (_file: unknown, options: Given) => {
      const upload = new DrivenUpload(options)
      started.push(upload)
      return upload as unknown as Upload
    },
    softwarePackages: {
      delete: async (uuid: string) => {
        const refusal = refusals.pop()
        if (refusal) throw refusal
        deleted.push(uuid)
      },
    },
  } as unknown as Wharf
  const queue = new UploadQueue({ now: () => nowMs })
  const add = (name: string): string =>
    queue.add(wharf, new File(['x'.repeat(100)], `${name}.tar`, { lastModified: 1 }), {
      name,
      type: 'demo',
      installPath: `/opt/${name}.tar`,
      hostUuid: 'h',
    })
  const states = (): string[] => queue.read().map(({ state }: UploadItem) => state)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { started, deleted, refusals, queue, add, states, pass }
}

test('two go at once, the next when one has ended or pauses', async () => {
  const { started, queue, add, states } = setup()
  const [first = ''] = ['a', 'b', 'c', 'd'].map(add)
  assert.deepEqual(states(), ['sending', 'sending', 'waiting', 'waiting'])
  await started[1]?.end()
  assert.deepEqual(states(), ['sending', 'done', 'sending', 'waiting'])
  queue.pause(first)
  assert.deepEqual(states(), ['paused', 'done', 'sending', 'sending'])
  assert.ok(started[0]?.isPaused)
  queue.resume(first)
  assert.deepEqual([states(), started[0]?.isPaused], [['waiting', 'done', 'sending', 'sending'], true])
  await started[2]?.end()
  assert.deepEqual([states(), started[0]?.isPaused], [['sending', 'done', 'done', 'sending'], false])
  assert.equal(started.length, 4, 'resumes instead of starting a second upload')
})

test('one that is tried again waits for its turn as well', async () => {
  const { started, queue, add, states } = setup()
  const [first = ''] = ['a', 'b', 'c'].map(add)
  await started[0]?.fail(new Error('no'))
  queue.retry(first)
  assert.deepEqual(states(), ['waiting', 'sending', 'sending'])
  await started[1]?.end()
  assert.deepEqual(states(), ['sending', 'done', 'sending'])
})

test('reports the rate and the remaining time', () => {
  const { started, queue, add, pass } = setup()
  add('a')
  started[0]?.progress('p', 0)
  pass(1000)
  started[0]?.progress('p', 25)
  const [item] = queue.read()
  assert.deepEqual([item?.sentBytes, item?.bytesPerSecond, item?.secondsLeft, item?.packageUuid], [25, 25, 3, 'p'])
})

test('what is cancelled leaves nothing on the server', async () => {
  const { started, deleted, queue, add } = setup()
  const id = add('a')
  started[0]?.progress('p', 10)
  await queue.cancel(id)
  assert.deepEqual([deleted, queue.read()], [['p'], []])
})

test('a cancelled upload that cannot be deleted gives its slot to the next, and can be cancelled again', async () => {
  const { started, deleted, refusals, queue, add, states } = setup()
  const [first = ''] = ['a', 'b', 'c'].map(add)
  started[0]?.progress('p', 10)
  refusals.push(new Error('the server is away'))
  await assert.rejects(queue.cancel(first), /away/)
  assert.deepEqual(
    [states(), String(queue.read()[0]?.failure)],
    [['failed', 'sending', 'sending'], 'Error: the server is away'],
  )
  await queue.cancel(first)
  assert.deepEqual([deleted, states()], [['p'], ['sending', 'sending']])
})

test('what has failed is tried again with the same key, and can be dismissed', async () => {
  const { started, queue, add, states } = setup()
  const id = add('a')
  await started[0]?.fail(new Error('no'))
  assert.deepEqual([states(), String(queue.read()[0]?.failure)], [['failed'], 'Error: no'])
  queue.retry(id)
  assert.deepEqual(states(), ['sending'])
  assert.equal(started[1]?.options.resumeKey, started[0]?.options.resumeKey)
  await started[1]?.fail(new Error('no'))
  queue.dismiss(id)
  assert.deepEqual(states(), [])
})

test('signing out stops all uploads and deletes nothing', async () => {
  const { started, deleted, queue, add } = setup()
  add('a')
  started[0]?.progress('p', 10)
  queue.stopAll()
  assert.ok(started[0]?.options.signal?.aborted)
  assert.deepEqual([deleted, queue.read()], [[], []])
})
