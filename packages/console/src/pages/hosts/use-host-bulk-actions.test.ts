import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  changeHostState,
  deleteHost,
  querySoftwarePackage,
  queryUser,
  reconnectHost,
  updateHost,
} from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'

const { useHostBulkActions } = await import('./use-host-bulk-actions.ts')

const host = { uuid: 'host-1', name: 'web-1', driver: 'ssh' as const, state: 'Enabled' as const }

async function setup(t: TestContext, role = 'operator') {
  const page = new HookPage(t)
  page.server.answer(queryUser, () => ({ inventories: [{ uuid: 'user-1', role }] }))
  const hook = await page.render(useHostBulkActions)
  const actionOf = (id: string) => {
    const action = hook.current.find((one) => one.id === id)
    assert.ok(action, id)
    return action
  }
  return { page, hook, actionOf }
}

for (const [id, operation, sent] of [
  ['reconnect', reconnectHost, {}],
  ['enable', changeHostState, { stateEvent: 'enable' }],
  ['disable', changeHostState, { stateEvent: 'disable' }],
  ['delete', deleteHost, {}],
] as const)
  test(`${id} calls ${operation.name} with what the copied command contains`, async (t) => {
    const { page, actionOf } = await setup(t)
    page.server.answer(operation, () => ({ inventory: host }))
    const action = actionOf(id)
    await action.run(host, undefined)
    const expected = { uuid: 'host-1', ...sent }
    assert.deepEqual(page.server.inputsOf(operation), [expected])
    assert.deepEqual(action.inputOf(host, undefined), expected)
    assert.equal(action.operation, operation)
  })

for (const [id, state, isSkipped] of [
  ['enable', 'Enabled', true],
  ['enable', 'Disabled', false],
  ['disable', 'Enabled', false],
  ['disable', 'Disabled', true],
] as const)
  test(`${id} ${isSkipped ? 'skips' : 'includes'} a host that is ${state}`, async (t) => {
    const { actionOf } = await setup(t)
    assert.equal(actionOf(id).problem?.({ ...host, state }) !== undefined, isSkipped)
  })

test('a host with packages is not deleted', async (t) => {
  const { page, actionOf } = await setup(t)
  const { signal } = new AbortController()
  page.server.answer(querySoftwarePackage, ({ q }) => ({ total: String(q) === 'hostUuid=host-1' ? 3 : 0 }))
  const { prepare } = actionOf('delete')
  assert.match((await prepare?.(host, signal))?.problem ?? '', /3/)
  assert.equal((await prepare?.({ ...host, uuid: 'host-2' }, signal))?.problem, undefined)
})

for (const [role, driver, isSkipped] of [
  ['operator', 'local', true],
  ['operator', 'ssh', false],
  ['admin', 'local', false],
] as const)
  test(`labels of a ${driver} host are ${isSkipped ? 'not ' : ''}set by ${role}`, async (t) => {
    const { actionOf } = await setup(t, role)
    assert.equal(actionOf('labels').problem?.({ ...host, driver }) !== undefined, isSkipped)
  })

test('the labels of the form are sent, once they are complete', async (t) => {
  const { page, hook, actionOf } = await setup(t)
  page.server.answer(updateHost, () => ({ inventory: host }))
  assert.ok(actionOf('labels').formProblem, 'nothing is changed yet')
  const draft = actionOf('labels').draft as unknown as { setForm(form: object): void }
  await hook.act(() => draft.setForm({ rows: [{ name: 'rack', value: 'r1' }], removed: 'old' }))
  const action = actionOf('labels')
  assert.equal(action.formProblem, undefined)
  assert.equal(action.draft?.isDirty, true)
  await action.run(host, undefined)
  assert.deepEqual(page.server.inputsOf(updateHost), [action.inputOf(host, undefined)])
  assert.match(JSON.stringify(action.inputOf(host, undefined)), /"rack":"r1"/)
})
