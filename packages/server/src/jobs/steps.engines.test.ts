import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, type Step, step } from './definition.ts'

/** Steps that say in `happened` what they do; those named in `failing` throw. */
function recorded(names: string[], failing: Record<string, Error> = {}) {
  const happened: string[] = []
  const act = async (what: string) => {
    happened.push(what)
    if (failing[what]) throw failing[what]
  }
  const steps: Step<unknown, unknown>[] = names.map((name) =>
    step(name, () => act(`run ${name}`), { undo: () => act(`undo ${name}`) }),
  )
  return { steps, happened }
}

const quickUndo = { undoRetryMs: [1, 1, 1] }

test('steps run in order, hand on what they learned, and the answer is made of it', async (t) => {
  const workers = await JobWorkers.open(t)
  const seen: unknown[] = []
  const worker = await workers.start(
    [
      step('one', async () => ({ a: 1 })),
      step('two', async ({ memory, input }) => {
        seen.push(memory, input)
        return { b: 2 }
      }),
      step('three', async ({ memory }) => void seen.push(memory)),
    ],
    { answer: async () => ({ steps: 'made' }) },
  )
  const uuid = await worker.submit({ asked: 'for' })
  const row = await worker.end(uuid)
  assert.equal(row.state, 'Succeeded')
  assert.equal(row.progress, 100)
  assert.deepEqual(seen, [{ a: 1 }, { asked: 'for' }, { a: 1, b: 2 }])
  assert.deepEqual(worker.jobs.result(row), { answer: { steps: 'made' } })
  assert.deepEqual(await workers.log(uuid), ['step one', 'step two', 'step three'])
})

test('a failure is undone from the step that failed back to the first', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps, happened } = recorded(['one', 'two', 'three'], { 'run two': new ApiError('SYS.1016', 'no disk') })
  const worker = await workers.start(steps)
  const row = await worker.end(await worker.submit())
  assert.deepEqual(happened, ['run one', 'run two', 'undo two', 'undo one'])
  assert.equal(row.state, 'Failed')
  assert.equal(row.errorCode, 'SYS.1016')
  assert.deepEqual(row.failure, { code: 'SYS.1016', details: 'no disk', status: 502, cause: null })
})

test('an answer that cannot be made undoes every step', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps, happened } = recorded(['one', 'two'])
  const worker = await workers.start(steps, {
    answer: async () => {
      throw new ApiError('SYS.1005', 'gone meanwhile')
    },
  })
  const row = await worker.end(await worker.submit())
  assert.deepEqual(happened, ['run one', 'run two', 'undo two', 'undo one'])
  assert.equal(row.errorCode, 'SYS.1005')
})

test('what a step throws by mistake is told to nobody but the log of the server', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps } = recorded(['one'], { 'run one': new TypeError('x is not a function at secret.ts') })
  const worker = await workers.start(steps)
  const uuid = await worker.submit()
  const row = await worker.end(uuid)
  assert.equal(row.failure?.code, 'SYS.1000')
  assert.doesNotMatch(JSON.stringify(row.failure) + (await workers.log(uuid)).join(), /secret/)
  assert.match(worker.logged, /a job step threw.*|x is not a function/)
})

test('an undo that fails is tried again, told in the log, and never hides the first error', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps, happened } = recorded(['one', 'two'], {
    'run two': new ApiError('SYS.1016', 'the first error'),
    'undo two': new ApiError('HOST.1003', 'the second error'),
  })
  const worker = await workers.start(steps, { limits: quickUndo })
  const uuid = await worker.submit()
  const row = await worker.end(uuid)
  assert.deepEqual(happened, ['run one', 'run two', ...Array(4).fill('undo two'), 'undo one'])
  assert.equal(row.failure?.details, 'the first error')
  const told = (await workers.log(uuid)).filter((line) => line === 'undo two failed: HOST.1003 the second error')
  assert.equal(told.length, 4)
})

test('the undo of a cancelled job tells its own failure, not the cancel', async (t) => {
  const workers = await JobWorkers.open(t)
  let began = (): void => {}
  const beginning = new Promise<void>((resolve) => {
    began = resolve
  })
  const wait = async ({ signal }: JobContext) => {
    began()
    await delay(10_000, undefined, { signal })
  }
  const undo = async () => {
    throw new ApiError('HOST.1003', 'the host is gone')
  }
  const worker = await workers.start([step('one', wait, { undo })], { limits: quickUndo })
  const uuid = await worker.submit()
  await beginning
  await worker.cancel(uuid)
  const row = await worker.end(uuid)
  assert.equal(row.state, 'Cancelled')
  assert.equal(row.failure?.code, 'SYS.1017')
  assert.ok((await workers.log(uuid)).includes('undo one failed: HOST.1003 the host is gone'))
})

test('a step that ignores the signal is given up after its grace, and undone', async (t) => {
  const workers = await JobWorkers.open(t)
  const happened: string[] = []
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.after(() => void process.off('unhandledRejection', note))
  const deaf = async () => {
    await delay(400)
    happened.push('ended anyway')
    throw new Error('far too late')
  }
  const worker = await workers.start([step('one', deaf, { undo: async () => void happened.push('undo') })], {
    limits: { stopGraceMs: 50 },
  })
  const uuid = await worker.submit()
  await worker.cancel(uuid)
  const row = await worker.end(uuid)
  assert.equal(row.state, 'Cancelled')
  assert.deepEqual(happened, ['undo'])
  await delay(500)
  assert.deepEqual(happened, ['undo', 'ended anyway'])
  assert.deepEqual(unhandled, [])
  assert.equal((await workers.row(uuid)).state, 'Cancelled')
})

test('a step that was given up changes nothing any more', async (t) => {
  const workers = await JobWorkers.open(t)
  const refused = Promise.withResolvers<unknown>()
  const undone = Promise.withResolvers<void>()
  const deaf = async ({ write, progress }: JobContext) => {
    await delay(300)
    progress(99)
    const row = { name: 'left behind', value: 'by a step that does not listen' }
    await write((tx) => tx.insertInto('settings').values(row).execute()).then(refused.resolve, refused.resolve)
    undone.resolve()
  }
  // the undo is at work, so the job is still ours, when the step wakes up
  const worker = await workers.start([step('one', deaf, { undo: () => undone.promise })], {
    limits: { stopGraceMs: 50 },
  })
  const uuid = await worker.submit()
  await worker.cancel(uuid)
  const row = await worker.end(uuid)
  assert.deepEqual([row.state, row.progress], ['Cancelled', 0])
  assert.match(String(await refused.promise), /was cancelled/)
  const left = workers.database.read.selectFrom('settings').selectAll().where('name', '=', 'left behind')
  assert.deepEqual(await left.execute(), [])
})

test('an undo that never ends is given up, told in the log, and the rest is undone', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps, happened } = recorded(['one', 'two'], { 'run two': new ApiError('SYS.1016', 'no') })
  const worker = await workers.start(
    [
      steps[0] as Step<unknown, unknown>,
      { ...(steps[1] as Step<unknown, unknown>), undo: () => new Promise(() => {}) },
    ],
    { limits: { undoTimeoutMs: 50, stopGraceMs: 50, undoRetryMs: [] } },
  )
  const uuid = await worker.submit()
  const row = await worker.end(uuid, 3000)
  assert.equal(row.state, 'Failed')
  assert.equal(happened.at(-1), 'undo one')
  assert.ok((await workers.log(uuid)).some((line) => line.startsWith('undo two failed')))
})

test('progress counts the weights, and the current step is told, on the way back too', async (t) => {
  const workers = await JobWorkers.open(t)
  const seen: string[] = []
  const look = async ({ jobUuid, progress }: JobContext, percent: number) => {
    progress(percent)
    await delay(400)
    const { currentStep, progress: stored, state } = await workers.row(jobUuid)
    seen.push(`${state} ${currentStep} ${stored}`)
  }
  const worker = await workers.start([
    step('light', (context) => look(context, 50), { undo: (context) => look(context, 0) }),
    step('heavy', (context) => look(context, 50), { weight: 3, undo: (context) => look(context, 0) }),
    step('last', async () => {
      throw new ApiError('SYS.1016', 'no')
    }),
  ])
  await worker.end(await worker.submit())
  assert.deepEqual(
    seen.map((line) => line.replace(/ \d+$/, '')),
    ['Running light', 'Running heavy', 'Undoing heavy', 'Undoing light'],
  )
  assert.deepEqual(
    seen.slice(0, 2).map((line) => line.split(' ')[2]),
    ['10', '50'],
  )
})

test('a cancel that comes between two steps keeps the next one from beginning', async (t) => {
  const workers = await JobWorkers.open(t)
  let beforeNextWrite: (() => Promise<void>) | undefined
  const database = new Proxy(workers.database, {
    get: (target, name) => {
      if (name !== 'transaction') return Reflect.get(target, name)
      return async (work: Parameters<typeof target.transaction>[0]) => {
        const before = beforeNextWrite
        beforeNextWrite = undefined
        await before?.()
        return target.transaction(work)
      }
    },
  })
  const { steps, happened } = recorded(['one', 'two'])
  const [one, two] = steps as [Step<unknown, unknown>, Step<unknown, unknown>]
  const cancelAfterwards = async ({ jobUuid }: JobContext) => {
    await delay(1)
    happened.push('run one')
    beforeNextWrite = async () => {
      await worker.cancel(jobUuid)
      await delay(500)
    }
  }
  const worker = await workers.start([{ ...one, run: cancelAfterwards }, two], { database })
  const row = await worker.end(await worker.submit())
  assert.equal(row.state, 'Cancelled')
  assert.deepEqual(happened, ['run one', 'undo two', 'undo one'])
})
