import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteRelease, querySoftwarePackage, retireRelease } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useReleaseBulkActions } = await import('./use-release-bulk-actions.ts')

for (const [index, operation] of [retireRelease, deleteRelease].entries())
  test(`releases are changed with ${operation.name}`, async (t) => {
    const page = new HookPage(t)
    page.server.answer(operation, () => ({ inventory: {} }))
    const { current } = await page.render(useReleaseBulkActions)
    await current[index]?.run({ uuid: 'release-1' }, undefined)
    assert.deepEqual(page.server.inputsOf(operation), [{ uuid: 'release-1' }])
    assert.deepEqual(current[index]?.inputOf({ uuid: 'release-1' }, undefined), { uuid: 'release-1' })
    assert.equal(current[index]?.operation, operation)
  })

test('a release is retired once, and deleted only where it is not installed', async (t) => {
  const page = new HookPage(t)
  page.server.answer(querySoftwarePackage, ({ q }) => ({ total: String(q).includes('release-1') ? 2 : 0 }))
  const { current } = await page.render(useReleaseBulkActions)
  const [retire, remove] = current
  assert.ok(retire?.problem?.({ state: 'Retired' }))
  assert.equal(retire?.problem?.({ state: 'Published' }), undefined)
  const { signal } = new AbortController()
  assert.match((await remove?.prepare?.({ uuid: 'release-1' }, signal))?.problem ?? '', /2/)
  assert.equal((await remove?.prepare?.({ uuid: 'release-2' }, signal))?.problem, undefined)
})
