import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import { getApiJobLogLines, getApiJobSteps, queryApiJob, queryRollout } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useEndedJobs } = await import('./use-ended-jobs.ts')
const { useRolloutNews } = await import('./use-rollout-news.ts')
const { closeNotificationStores, notificationStore } = await import('./use-notifications.ts')
const { flashes } = await import('./show-added.ts')
const { useQueryClient } = await import('@tanstack/react-query')

beforeEach(closeNotificationStores)

const since = '2026-11-05T00:00:00.000Z'
const at = 'Nov 5, 2026 1:02:03 AM'
const jobOf = (uuid: string, changes: object = {}) => ({
  uuid,
  operation: 'InstallSoftwarePackage',
  subjectUuid: 'package-1',
  subjectName: 'shop',
  state: 'Succeeded',
  endDate: at,
  lastOpDate: at,
  ...changes,
})

async function setup(t: TestContext, use: () => void, { isNew = false, hash = '' } = {}) {
  const page = new HookPage(t, { hash })
  const store = notificationStore('user-1')
  if (!isNew) {
    store.handleJobs({ since, handled: ['old'] }, [])
    store.handleRollouts({ since, states: { old: 'Succeeded' } }, [])
  }
  const render = async () => {
    const hook = await page.render(() => {
      use()
      return useQueryClient()
    })
    return { hook, refetch: () => hook.act(() => hook.current.invalidateQueries()) }
  }
  return { page, store, render }
}

test('a job that ends is reported once', async (t) => {
  const { page, store, render } = await setup(t, useEndedJobs)
  page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-1'), jobOf('old')] }))
  const { refetch } = await render()
  const reported = () => store.notifications().map((one) => ('jobUuid' in one ? one.jobUuid : ''))
  assert.deepEqual(reported(), ['job-1'])
  await refetch()
  assert.deepEqual(reported(), ['job-1'])
  const queries = page.server.inputsOf(queryApiJob).map(({ q }) => String(q))
  assert.match(queries[0] ?? '', /userUuid=user-1/)
  assert.notEqual(queries.at(-1), queries[0], 'later queries start later')
})

test('a browser that is new to the user reports only what ends from now on', async (t) => {
  const { page, store, render } = await setup(t, useEndedJobs, { isNew: true })
  page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-1')] }))
  const { refetch } = await render()
  assert.deepEqual(store.notifications(), [])
  page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-2'), jobOf('job-1')] }))
  await refetch()
  assert.deepEqual(
    store.notifications().map((one) => ('jobUuid' in one ? one.jobUuid : '')),
    ['job-2'],
  )
})

/** First and last line of the failure, the lines of the log, the error code, and the reason that is shown. */
const reasons: readonly (readonly [number | null, string[], string | null, string | undefined])[] = [
  [5, ['\u001b[31mno space left\u001b[0m'], 'SW.1001', 'no space left'],
  [null, [], 'SW.1001', 'SW.1001'],
  [5, [''], 'SW.1001', 'SW.1001'],
  [null, [], null, undefined],
]

for (const [first, lines, errorCode, reason] of reasons)
  test(`the reason of a failure with the lines ${JSON.stringify(lines)} is ${reason}`, async (t) => {
    const { page, store, render } = await setup(t, useEndedJobs)
    page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-1', { state: 'Failed', errorCode })] }))
    page.server.answer(getApiJobSteps, () => ({ failureFirstLine: first, failureLastLine: first }))
    page.server.answer(getApiJobLogLines, () => ({ lines: lines.map((line) => ({ number: 5, time: '', line })) }))
    await render()
    assert.equal(store.notifications()[0]?.reason, reason)
    const read = page.server.inputsOf(getApiJobLogLines).map(({ after, limit }) => [after, limit])
    assert.deepEqual(read, first === null ? [] : [['4', '1']])
  })

test('a failure whose log cannot be read is reported with its code', async (t) => {
  const { page, store, render } = await setup(t, useEndedJobs)
  page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-1', { state: 'Failed', errorCode: 'SW.1001' })] }))
  page.server.fail(getApiJobSteps)
  await render()
  assert.equal(store.notifications()[0]?.reason, 'SW.1001')
})

test('of more jobs than one page, all are reported', async (t) => {
  const { page, store, render } = await setup(t, useEndedJobs)
  const jobs = Array.from({ length: 130 }, (_, index) => jobOf(`job-${index}`))
  page.server.answer(queryApiJob, ({ sort, start = 0, limit = 1000 }) => ({
    inventories: sort === '-lastOpDate' ? jobs.slice(0, 100) : jobs.slice(Number(start), Number(start) + Number(limit)),
  }))
  await render()
  const { handled } = store.startJobs()
  assert.equal(jobs.filter(({ uuid }) => handled.includes(uuid)).length, 130)
})

test('after a sign-out nothing is stored any more', async (t) => {
  const { page, store, render } = await setup(t, useEndedJobs)
  const steps = Promise.withResolvers<object>()
  page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-1', { state: 'Failed', errorCode: 'SW.1001' })] }))
  page.server.answer(getApiJobSteps, () => steps.promise)
  const { hook } = await render()
  await hook.unmount()
  steps.resolve({ failureFirstLine: null })
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(store.notifications(), [])
})

for (const [hash, isRead] of [
  ['#/packages/package-1', true],
  ['#/packages', false],
] as const)
  test(`news of a package are ${isRead ? 'read already' : 'shown'} on ${hash}`, async (t) => {
    const { page, store, render } = await setup(t, useEndedJobs, { hash })
    page.server.answer(queryApiJob, () => ({ inventories: [jobOf('job-1')] }))
    const add = t.mock.method(flashes, 'add')
    await render()
    assert.equal(store.notifications()[0]?.isRead, isRead)
    assert.equal(add.mock.calls.flatMap(({ arguments: [shown] }) => shown).length, isRead ? 0 : 1)
  })

const rolloutOf = (state: string, pauseReason: string | null = null, minute = 0) => ({
  uuid: 'rollout-1',
  name: 'shop 2.0',
  state,
  pauseReason,
  lastOpDate: `Nov 5, 2026 1:0${minute}:00 AM`,
})

test('a rollout is reported whenever it pauses or ends, and not while it runs', async (t) => {
  const { page, store, render } = await setup(t, useRolloutNews)
  let state = rolloutOf('Running')
  page.server.answer(queryRollout, () => ({ inventories: [state] }))
  const { refetch } = await render()
  const reported: number[] = []
  for (const next of [
    rolloutOf('Running'),
    rolloutOf('Paused', 'Failures', 1),
    rolloutOf('Paused', 'Failures', 2),
    rolloutOf('Running', null, 3),
    rolloutOf('Paused', 'Failures', 4),
    rolloutOf('Paused', 'Operator', 5),
    rolloutOf('Succeeded', null, 6),
  ]) {
    const before = JSON.stringify(store.notifications())
    state = next
    await refetch()
    reported.push(JSON.stringify(store.notifications()) === before ? 0 : 1)
  }
  assert.deepEqual(reported, [0, 1, 0, 0, 1, 1, 1])
})

test('a browser that is new to the user does not report rollouts that have ended', async (t) => {
  const { page, store, render } = await setup(t, useRolloutNews, { isNew: true })
  page.server.answer(queryRollout, () => ({ inventories: [rolloutOf('Succeeded')] }))
  await render()
  assert.deepEqual(store.notifications(), [])
  assert.equal(store.startRollouts().isFirst, false)
})
