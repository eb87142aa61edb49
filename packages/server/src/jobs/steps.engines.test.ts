import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { JobWorkers } from '@wharf/testkit'
import { type JobContext, type Step, step } from './definition.ts'

/** Steps that record their runs and undos in `happened`; those named in `failing` throw. */
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

test('steps run in order, pass their results on, and the answer is built from them', async (t) => {
  const workers = await JobWorkers.open(t)
  const seen: unknown[] = []
  const worker = await workers.start(
    [
      step('one', async () => ({ a: 1 })),
      step('two', async ({ stepResults, input }) => {
        seen.push(stepResults, input)
        return { b: 2 }
      }),
      step('three', async ({ stepResults }) => void seen.push(stepResults)),
    ],
    { answer: async () => ({ steps: 'done' }) },
  )
  const uuid = await worker.submit({ name: 'input' })
  const row = await worker.end(uuid)
  assert.equal(row.state, 'Succeeded')
  assert.equal(row.progress, 100)
  assert.deepEqual(seen, [{ a: 1 }, { name: 'input' }, { a: 1, b: 2 }])
  assert.deepEqual(worker.jobs.result(row), { answer: { steps: 'done' } })
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

test('a failure to build the answer undoes every step', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps, happened } = recorded(['one', 'two'])
  const worker = await workers.start(steps, {
    answer: async () => {
      throw new ApiError('SYS.1005', 'deleted meanwhile')
    },
  })
  const row = await worker.end(await worker.submit())
  assert.deepEqual(happened, ['run one', 'run two', 'undo two', 'undo one'])
  assert.equal(row.errorCode, 'SYS.1005')
})

test('a job that is refused leaves no event and no audit entry, although its transaction commits', async (t) => {
  const workers = await JobWorkers.open(t)
  const released = Promise.withResolvers<void>()
  const worker = await workers.start([step('one', () => released.promise)])
  const subject = { uuid: 'b'.repeat(32), name: 'busy' }
  const first = await worker.submit({}, { subjectUuid: subject.uuid })
  const request = { caller: { accountUuid: 'a', userUuid: 'u' } }
  const refusal = await workers.database.transaction((tx) =>
    worker.jobs
      .enqueue(tx, worker.definition, { request, subject, host: null, input: {} })
      .catch((error: unknown) => error),
  )
  assert.equal((refusal as ApiError).code, 'SYS.1005')
  const created = await workers.database.read
    .selectFrom('events')
    .select('uuid')
    .where('type', '=', 'Created')
    .execute()
  assert.deepEqual(created, [{ uuid: first }])
  const entries = await workers.database.read.selectFrom('pendingAuditEntries').select('entry').execute()
  assert.deepEqual(
    entries.map(({ entry }) => entry.includes(first)),
    [true],
  )
  released.resolve()
  await worker.end(first)
})

test('an unexpected error of a step is only in the log of the server', async (t) => {
  const workers = await JobWorkers.open(t)
  const { steps } = recorded(['one'], { 'run one': new TypeError('x is not a function at secret.ts') })
  const worker = await workers.start(steps)
  const uuid = await worker.submit()
  const row = await worker.end(uuid)
  assert.equal(row.failure?.code, 'SYS.1000')
  assert.doesNotMatch(JSON.stringify(row.failure) + (await workers.log(uuid)).join(), /secret/)
  assert.match(worker.logged, /a job step threw.*|x is not a function/)
})

test('a failed undo is retried and logged, and never hides the first error', async (t) => {
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
  const failures = (await workers.log(uuid)).filter((line) => line === 'undo two failed: HOST.1003 the second error')
  assert.equal(failures.length, 4)
})

test('the undo of a cancelled job logs its own failure, not the cancellation', async (t) => {
  const workers = await JobWorkers.open(t)
  const started = Promise.withResolvers<void>()
  const wait = async ({ signal }: JobContext) => {
    started.resolve()
    await delay(10_000, undefined, { signal })
  }
  const undo = async () => {
    throw new ApiError('HOST.1003', 'the host is lost')
  }
  const worker = await workers.start([step('one', wait, { undo })], { limits: quickUndo })
  const uuid = await worker.submit()
  await started.promise
  await worker.cancel(uuid)
  const row = await worker.end(uuid)
  assert.equal(row.state, 'Cancelled')
  assert.equal(row.failure?.code, 'SYS.1017')
  assert.ok((await workers.log(uuid)).includes('undo one failed: HOST.1003 the host is lost'))
})

test('a step that ignores the signal is abandoned after its grace period and undone', async (t) => {
  const workers = await JobWorkers.open(t)
  const happened: string[] = []
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.after(() => void process.off('unhandledRejection', note))
  const undone = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const ignoring = async () => {
    await undone.promise
    happened.push('ended anyway')
    ended.resolve()
    throw new Error('far too late')
  }
  const worker = await workers.start([step('one', ignoring, { undo: async () => void happened.push('undo') })], {
    limits: { stopGraceMs: 50 },
  })
  const uuid = await worker.submit()
  await worker.cancel(uuid)
  const row = await worker.end(uuid)
  assert.equal(row.state, 'Cancelled')
  assert.deepEqual(happened, ['undo'])
  undone.resolve()
  await ended.promise
  await delay(50)
  assert.deepEqual(happened, ['undo', 'ended anyway'])
  assert.deepEqual(unhandled, [])
  assert.equal((await workers.row(uuid)).state, 'Cancelled')
})

test('an abandoned step changes nothing any more', async (t) => {
  const workers = await JobWorkers.open(t)
  const refused = Promise.withResolvers<unknown>()
  const undone = Promise.withResolvers<void>()
  const ignoring = async ({ write, progress }: JobContext) => {
    await delay(300)
    progress(99)
    const row = { name: 'left behind', value: 'by a step that ignores its signal' }
    await write((tx) => tx.insertInto('settings').values(row).execute()).then(refused.resolve, refused.resolve)
    undone.resolve()
  }
  // the undo still runs, so this process owns the job, when the step continues
  const worker = await workers.start([step('one', ignoring, { undo: () => undone.promise })], {
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

test('an undo that never ends is abandoned and logged, and the rest is undone', async (t) => {
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

test('progress follows the weights, and the current step is reported, also during the undo', async (t) => {
  const workers = await JobWorkers.open(t)
  /** The row follows a step a little later. */
  const observe = async ({ jobUuid, progress }: JobContext, percent: number, expected: RegExp) => {
    progress(percent)
    let seen = ''
    for (let tries = 0; tries < 500 && !expected.test(seen); tries++) {
      await delay(20)
      const { currentStep, progress: stored, state } = await workers.row(jobUuid)
      seen = `${state} ${currentStep} ${stored}`
    }
    assert.match(seen, expected)
  }
  const worker = await workers.start([
    step('light', (context) => observe(context, 50, /^Running light 10$/), {
      undo: (context) => observe(context, 0, /^Undoing light /),
    }),
    step('heavy', (context) => observe(context, 50, /^Running heavy 50$/), {
      weight: 3,
      undo: (context) => observe(context, 0, /^Undoing heavy /),
    }),
    step('last', async () => {
      throw new ApiError('SYS.1016', 'no')
    }),
  ])
  const { failure } = await worker.end(await worker.submit())
  assert.equal(failure?.details, 'no')
})

test('a cancel between two steps prevents the next one from starting', async (t) => {
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

test('the checkpoint of a step is known to its undo and to the next owner', async (t) => {
  const workers = await JobWorkers.open(t)
  const seen: unknown[] = []
  const reached = Promise.withResolvers<void>()
  const steps = (last: (signal: AbortSignal) => Promise<void>): Step<unknown, unknown>[] => [
    step<unknown, { started: string }>(
      'one',
      async ({ checkpoint, stepResults, signal }) => {
        seen.push(stepResults)
        await checkpoint({ started: 'yes' })
        await last(signal)
      },
      { undo: async ({ stepResults }) => void seen.push(stepResults) },
    ) as Step<unknown, unknown>,
  ]
  const first = await workers.start(
    steps(async (signal) => {
      reached.resolve()
      await delay(10_000, undefined, { signal })
    }),
  )
  const uuid = await first.submit()
  await reached.promise
  await first.stop()
  const second = await workers.start(
    steps(async () => {
      throw new ApiError('SYS.1016', 'no disk')
    }),
  )
  await second.end(uuid)
  assert.deepEqual(seen, [{}, { started: 'yes' }, { started: 'yes' }])
})

test('steps that could not be undone are part of the reported failure; a failure that is not retried ends the undo', async (t) => {
  const workers = await JobWorkers.open(t)
  const attempts: string[] = []
  const failing = (name: string, isUndoRetried: boolean) =>
    step<unknown, unknown>(name, async () => {}, {
      isUndoRetried: () => isUndoRetried,
      undo: async () => {
        attempts.push(name)
        throw new ApiError('HOST.1003', `${name} is unreachable`)
      },
    })
  const worker = await workers.start(
    [
      failing('one', false),
      failing('two', true),
      step('three', async () => {
        throw new ApiError('SYS.1016', 'no disk')
      }),
    ],
    {
      limits: quickUndo,
      describeFailure: (_, { failure, undoFailures }) =>
        new ApiError('SYS.1012', [failure, ...undoFailures.map((one) => one.failure)].map(String).join('; ')),
    },
  )
  const row = await worker.end(await worker.submit())
  assert.deepEqual(attempts, ['two', 'two', 'two', 'two', 'one'])
  assert.equal(row.failure?.code, 'SYS.1012')
  assert.match(row.failure?.details ?? '', /no disk; .*two is unreachable; .*one is unreachable$/)
})
