import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cancelApiJob, queryUser, retryApiJob } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useJobBulkActions } = await import('./use-job-bulk-actions.ts')

async function setup(t: TestContext, role: 'operator' | 'admin') {
  const page = new HookPage(t)
  page.server.answer(queryUser, () => ({ inventories: [{ uuid: 'user-1', role }] }))
  const { current } = await page.render(useJobBulkActions)
  const [retry, cancel] = current
  assert.ok(retry && cancel)
  return { page, retry, cancel }
}

const own = { uuid: 'job-1', operation: 'InstallSoftwarePackage', userUuid: 'user-1', state: 'Failed' as const }
const others = { userUuid: 'user-2' }

for (const [job, canRetry, canCancel, role] of [
  [{ canRetry: true }, true, false],
  [{ canRetry: false }, false, false],
  [{ state: 'Running' as const, canRetry: false }, false, true],
  [{ state: 'Waiting' as const, canRetry: false }, false, true],
  [{ state: 'Succeeded' as const, canRetry: false }, false, false],
  [{ ...others, canRetry: true }, false, false],
  [{ ...others, state: 'Running' as const, canRetry: false }, false, false],
  [{ ...others, canRetry: true }, true, false, 'admin'],
  [{ ...others, state: 'Running' as const, canRetry: false }, false, true, 'admin'],
] as const)
  test(`${role ?? 'operator'}: ${JSON.stringify(job)} can be ${canRetry ? 'retried' : canCancel ? 'cancelled' : 'neither'}`, async (t) => {
    const { retry, cancel } = await setup(t, role ?? 'operator')
    assert.equal(retry.problem?.({ ...own, ...job }) === undefined, canRetry)
    assert.equal(cancel.problem?.({ ...own, ...job }) === undefined, canCancel)
  })

test('why a job cannot be retried depends on what it is', async (t) => {
  const { retry } = await setup(t, 'operator')
  const reasons = [
    { ...own, state: 'Running' as const },
    { ...own, operation: 'UploadSoftwarePackage' },
    { ...own, operation: 'AddHost' },
    { ...own, ...others, canRetry: true },
  ].map((job) => retry.problem?.(job))
  assert.equal(new Set(reasons).size, reasons.length)
  assert.ok(reasons.every(Boolean))
})

test('each job is retried or cancelled by its uuid', async (t) => {
  const { page, retry, cancel } = await setup(t, 'operator')
  page.server.answer(retryApiJob, () => ({ inventory: { uuid: 'job-2' } }))
  page.server.answer(cancelApiJob, () => ({ inventory: {} }))
  await retry.run(own, undefined)
  await cancel.run(own, undefined)
  assert.deepEqual(page.server.inputsOf(retryApiJob), [{ uuid: 'job-1' }])
  assert.deepEqual(page.server.inputsOf(cancelApiJob), [{ uuid: 'job-1' }])
})
