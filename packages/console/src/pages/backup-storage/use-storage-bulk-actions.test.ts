import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeBackupStorageState, deleteBackupStorage, reconnectBackupStorage } from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useStorageBulkActions } = await import('./use-storage-bulk-actions.ts')

for (const [id, operation, sent] of [
  ['reconnect', reconnectBackupStorage, {}],
  ['enable', changeBackupStorageState, { stateEvent: 'enable' }],
  ['disable', changeBackupStorageState, { stateEvent: 'disable' }],
  ['delete', deleteBackupStorage, {}],
] as const)
  test(`${id} calls ${operation.name} with what the copied command contains`, async (t) => {
    const page = new HookPage(t)
    page.server.answer(operation, () => ({ inventory: {} }))
    const { current } = await page.render(useStorageBulkActions)
    const action = current.find((one) => one.id === id)
    await action?.run({ uuid: 'storage-1' }, undefined)
    assert.deepEqual(page.server.inputsOf(operation), [{ uuid: 'storage-1', ...sent }])
    assert.deepEqual(action?.inputOf({ uuid: 'storage-1' }, undefined), { uuid: 'storage-1', ...sent })
    assert.equal(action?.operation, operation)
  })
