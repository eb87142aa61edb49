import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryApiJob } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useRetryAction } = await import('./use-retry-action.ts')

test('the page of the new job follows a retry', async (t) => {
  const page = new HookPage(t, { hash: '#/jobs/job-1' })
  page.server.answer(retryApiJob, () => ({ inventory: { uuid: 'job-2' } }))
  const hook = await page.render(useRetryAction)
  const action = hook.current({ uuid: 'job-1', operation: 'AddHost', state: 'Failed', canRetry: true })
  assert.ok('run' in action && action.confirm)
  assert.equal(action.disabledReason, undefined)
  await hook.act(action.run)
  assert.equal(location.hash, '#/jobs/job-2')
})

test('a retry that the server rejects stays on the page', async (t) => {
  const page = new HookPage(t, { hash: '#/jobs/job-1' })
  page.server.fail(retryApiJob)
  const hook = await page.render(useRetryAction)
  const action = hook.current({ uuid: 'job-1', operation: 'AddHost', state: 'Failed', canRetry: true })
  assert.ok('run' in action)
  await assert.rejects(action.run(), /failed/)
  assert.equal(location.hash, '#/jobs/job-1')
})
