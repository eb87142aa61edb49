import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  deleteSoftwarePackage,
  getSoftwarePackageConfigSchema,
  installSoftwarePackage,
  queryApiJob,
  queryHost,
  queryUser,
  uninstallSoftwarePackage,
  verifySoftwarePackage,
} from '@wharf/contract'
import { HookPage } from '../../data/testing/render-hook.ts'
import type { PackageRecord } from './package-record.ts'

const { usePackageBulkActions } = await import('./use-package-bulk-actions.ts')

const recordOf = (changes: Partial<PackageRecord>): PackageRecord =>
  ({
    uuid: 'package-1',
    name: 'shop',
    type: 'Generic',
    status: 'Uploaded',
    hostUuid: 'host-1',
    ...changes,
  }) as PackageRecord

async function setup(t: TestContext, role = 'operator') {
  const page = new HookPage(t)
  page.server.answer(queryUser, () => ({ inventories: [{ uuid: 'user-1', role }] }))
  page.server.answer(queryHost, () => ({ inventories: [{ uuid: 'local-1', driver: 'local' }] }))
  const { current } = await page.render(usePackageBulkActions)
  const actionOf = (id: string) => {
    const action = current.find((one) => one.id === id)
    assert.ok(action, id)
    return action
  }
  return { page, actionOf, ids: current.map(({ id }) => id) }
}

type Row = readonly [action: string, record: Partial<PackageRecord>, isAllowed: boolean, role?: string]

const rows: readonly Row[] = [
  ['install', { status: 'Uploaded' }, true],
  ['install', { status: 'Installed' }, false],
  ['install', { status: 'Uploading' }, false],
  // the dialog of the package chooses the host, or the size of the virtual machine
  ['install', { hostUuid: null }, false],
  ['install', { type: 'Migrate' }, false],
  ['verify', { status: 'Installed' }, true],
  ['verify', { status: 'Uploaded' }, false],
  ['uninstall', { status: 'Installed' }, true],
  ['uninstall', { status: 'Uploaded' }, false],
  ['delete', { status: 'Uploaded' }, true],
  ['delete', { status: 'Initializing' }, false],
  ['delete', { status: 'Installed' }, true],
  // packages on the server's own machine run as the user of the server
  ['install', { hostUuid: 'local-1' }, false],
  ['verify', { hostUuid: 'local-1', status: 'Installed' }, false],
  ['uninstall', { hostUuid: 'local-1', status: 'Installed' }, false],
  ['delete', { hostUuid: 'local-1' }, false],
  ['install', { hostUuid: 'local-1' }, true, 'admin'],
  ['delete', { hostUuid: 'local-1' }, true, 'admin'],
]

for (const [id, changes, isAllowed, role] of rows)
  test(`${role ?? 'operator'}: ${id} of ${JSON.stringify(changes)} is ${isAllowed ? 'allowed' : 'skipped'}`, async (t) => {
    const { actionOf } = await setup(t, role)
    assert.equal(actionOf(id).problem?.(recordOf(changes)) === undefined, isAllowed)
  })

const { signal } = new AbortController()

test('a package that needs a configuration is not installed with others', async (t) => {
  const { page, actionOf } = await setup(t)
  const { prepare } = actionOf('install')
  page.server.answer(getSoftwarePackageConfigSchema, ({ uuid }) => ({
    configSchema: uuid === 'package-1' ? null : { type: 'object' },
  }))
  assert.equal((await prepare?.(recordOf({}), signal))?.problem, undefined)
  assert.ok((await prepare?.(recordOf({ uuid: 'package-2' }), signal))?.problem)
})

/** Whether a job runs, the type, and how the package is deleted. */
const deletions = [
  [0, 'Generic', 'Permissive'],
  [1, 'Generic', 'Enforcing'],
  [0, 'Migrate', 'Enforcing'],
] as const

for (const [running, type, deleteMode] of deletions)
  test(`a package of the type ${type} with ${running} jobs is deleted ${deleteMode}`, async (t) => {
    const { page, actionOf } = await setup(t)
    page.server.answer(queryApiJob, () => ({ total: running }))
    page.server.answer(deleteSoftwarePackage, () => ({}))
    const remove = actionOf('delete')
    const record = recordOf({ type })
    const prepared = await remove.prepare?.(record, signal)
    assert.ok(prepared && prepared.problem === undefined)
    assert.equal(prepared.note !== '', running > 0, 'a running job is mentioned')
    await remove.run(record, prepared.value)
    assert.deepEqual(remove.inputOf(record, prepared.value), { uuid: 'package-1', deleteMode })
    assert.deepEqual(page.server.inputsOf(deleteSoftwarePackage), [{ uuid: 'package-1', deleteMode }])
    assert.ok(String(page.server.inputsOf(queryApiJob)[0]?.q).includes('subjectUuid=package-1'))
  })

for (const [id, operation] of [
  ['install', installSoftwarePackage],
  ['verify', verifySoftwarePackage],
  ['uninstall', uninstallSoftwarePackage],
] as const)
  test(`${id} calls ${operation.name} for the package`, async (t) => {
    const { page, actionOf } = await setup(t)
    page.server.answer(operation, () => ({}))
    const action = actionOf(id)
    await action.run(recordOf({}), undefined)
    assert.deepEqual(page.server.inputsOf(operation), [{ uuid: 'package-1' }])
    assert.equal(action.operation, operation, 'roles that may not call it cannot choose it')
  })
