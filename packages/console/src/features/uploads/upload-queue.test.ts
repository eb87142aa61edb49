import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Upload, UploadedPackage, UploadOptions, Wharf } from '@wharf/sdk'
import { fileKey } from './file-key.ts'
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

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

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
  const addNamed = (name: string, publish?: Parameters<UploadQueue['add']>[3]): string =>
    queue.add(
      wharf,
      new File(['x'.repeat(100)], `${name}.tar`, { lastModified: 1 }),
      { name, type: 'demo', installPath: `/opt/${name}.tar`, hostUuid: 'h' },
      publish,
    )
  const add = (name: string): string => addNamed(name)
  const addPublished = (publish: (uuid: string) => Promise<string>): string => addNamed('a', publish)
  const states = (): string[] => queue.read().map(({ state }: UploadItem) => state)
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { started, deleted, refusals, queue, add, addPublished, states, pass }
}

test('two uploads run at once, the next starts when one ends or pauses', async () => {
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

test('a retried upload waits for its turn too', async () => {
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

test('a cancelled upload leaves nothing on the server', async () => {
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

test('a failed upload is retried with the same key, and can be dismissed', async () => {
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

test('an item has the name, the file and the size of its upload', () => {
  const { queue, add } = setup()
  const id = add('a')
  assert.deepEqual(queue.read(), [
    {
      id,
      key: fileKey({ name: 'a.tar', size: 100, lastModified: 1 }),
      name: 'a',
      fileName: 'a.tar',
      state: 'sending',
      totalBytes: 100,
      sentBytes: undefined,
      percent: 0,
      bytesPerSecond: undefined,
      secondsLeft: undefined,
      packageUuid: undefined,
      isPublished: false,
      releaseUuid: undefined,
      failure: undefined,
    },
  ])
})

test('listeners are notified of every change until they unsubscribe', () => {
  const { started, queue, add } = setup()
  let changes = 0
  const unsubscribe = queue.subscribe(() => changes++)
  add('a')
  const afterAdding = changes
  assert.ok(afterAdding > 0)
  started[0]?.progress('p', 10)
  assert.ok(changes > afterAdding)
  unsubscribe()
  const before = changes
  started[0]?.progress('p', 20)
  assert.equal(changes, before)
})

test('the snapshot is the same object until something changes', () => {
  const { started, queue, add } = setup()
  add('a')
  const snapshot = queue.read()
  assert.equal(queue.read(), snapshot)
  started[0]?.progress('p', 10)
  assert.notEqual(queue.read(), snapshot)
})

test('processing on the server has its own percentage and no rate', () => {
  const { started, queue, add, pass } = setup()
  add('a')
  started[0]?.progress('p', 0)
  pass(1000)
  started[0]?.progress('p', 50)
  assert.ok(queue.read()[0]?.bytesPerSecond)
  started[0]?.options.onProgress?.({ phase: 'processing', sentBytes: 100, totalBytes: 100, percent: 40 })
  const [item] = queue.read()
  assert.deepEqual(
    [item?.state, item?.percent, item?.bytesPerSecond, item?.secondsLeft],
    ['processing', 40, undefined, undefined],
  )
})

test('an upload that is processed cannot be paused', () => {
  const { started, queue, add, states } = setup()
  const id = add('a')
  started[0]?.options.onProgress?.({ phase: 'processing', sentBytes: 100, totalBytes: 100, percent: 1 })
  queue.pause(id)
  assert.deepEqual(states(), ['processing'])
})

test('late progress of a paused upload does not resume it', () => {
  const { started, queue, add } = setup()
  const id = add('a')
  queue.pause(id)
  started[0]?.progress('p', 30)
  const [item] = queue.read()
  assert.deepEqual([item?.state, item?.sentBytes, item?.bytesPerSecond], ['paused', 30, undefined])
})

test('a pause does not lower the rate', () => {
  const { started, queue, add, pass } = setup()
  const id = add('a')
  started[0]?.progress('p', 0)
  pass(1000)
  started[0]?.progress('p', 10)
  queue.pause(id)
  pass(60_000)
  queue.resume(id)
  started[0]?.progress('p', 10)
  pass(1000)
  started[0]?.progress('p', 20)
  assert.equal(queue.read()[0]?.bytesPerSecond, 10)
})

test('the bytes on the server are unknown until the server responds, also after a retry', async () => {
  const { started, queue, add } = setup()
  const id = add('a')
  assert.equal(queue.read()[0]?.sentBytes, undefined)
  started[0]?.progress('p', 0)
  assert.equal(queue.read()[0]?.sentBytes, 0)
  started[0]?.progress('p', 30)
  await started[0]?.fail(new Error('no'))
  assert.equal(queue.read()[0]?.sentBytes, 30)
  queue.retry(id)
  assert.equal(queue.read()[0]?.sentBytes, undefined)
})

test('the rate falls while no byte is sent', () => {
  const { started, queue, add, pass } = setup()
  add('a')
  started[0]?.progress('p', 0)
  pass(1000)
  started[0]?.progress('p', 40)
  pass(3000)
  queue.refreshRates()
  assert.deepEqual([queue.read()[0]?.bytesPerSecond, queue.read()[0]?.secondsLeft], [10, 6])
})

test('actions in a state that does not allow them do nothing', () => {
  const { started, queue, add, states } = setup()
  const id = add('a')
  queue.resume(id)
  queue.retry(id)
  queue.pause('unknown')
  queue.resume('unknown')
  queue.retry('unknown')
  assert.deepEqual([states(), started.length], [['sending'], 1])
})

test('cancelling a queued upload deletes nothing', async () => {
  const { deleted, queue, add } = setup()
  add('a')
  add('b')
  const id = add('c')
  await queue.cancel(id)
  assert.deepEqual(deleted, [])
  assert.deepEqual(
    queue.read().map(({ name }) => name),
    ['a', 'b'],
  )
})

test('cancelling a finished upload keeps its package', async () => {
  const { started, deleted, queue, add } = setup()
  const id = add('a')
  started[0]?.progress('p', 100)
  await started[0]?.end()
  await queue.cancel(id)
  assert.deepEqual([deleted, queue.read()], [[], []])
})

test('a dismissed upload frees its slot for the next', async () => {
  const { started, queue, add, states } = setup()
  const id = add('a')
  add('b')
  add('c')
  assert.deepEqual(states(), ['sending', 'sending', 'waiting'])
  await started[0]?.fail(new Error('no'))
  assert.deepEqual(states(), ['failed', 'sending', 'sending'])
  queue.dismiss(id)
  assert.deepEqual(states(), ['sending', 'sending'])
})

test('ids are not reused', () => {
  const { queue, add } = setup()
  const first = add('a')
  queue.dismiss(first)
  assert.notEqual(add('b'), first)
})

test('the publication of a stored upload is part of it, and a retry repeats only that', async () => {
  const { started, queue, addPublished, states } = setup()
  const calls: string[] = []
  const id = addPublished(async (uuid) => {
    calls.push(uuid)
    if (calls.length === 1) throw new Error('the version exists')
    return 'r'
  })
  started[0]?.progress('p', 100)
  await started[0]?.end()
  await settled()
  assert.deepEqual([states(), String(queue.read()[0]?.failure)], [['failed'], 'Error: the version exists'])
  queue.retry(id)
  await settled()
  assert.deepEqual([states(), calls, started.length], [['done'], ['p', 'p'], 1])
  assert.equal(queue.read()[0]?.releaseUuid, 'r')
})
