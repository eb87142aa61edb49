import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowed, packageStatuses } from '@wharf/contract'
import { messages } from './messages.ts'
import { deleteMode, deletionConsequences, requiredStatuses } from './package-rules.ts'

for (const action of ['install', 'uninstall', 'upgrade', 'roll back', 'verify'] as const)
  test(`${action} follows the table of the contract`, () => {
    for (const status of packageStatuses) {
      const isAllowed = (allowed[action] as readonly string[]).includes(status)
      assert.deepEqual(requiredStatuses(action, status), isAllowed ? undefined : allowed[action], status)
    }
  })

const onHost = { status: 'Uploaded', type: 'demo', hostUuid: 'h1' } as const

const rows: [name: string, state: Parameters<typeof deletionConsequences>[0], isBusy: boolean, keys: string[]][] = [
  ['an uploaded package', onHost, false, ['deleteConsequences']],
  ['an installed package', { ...onHost, status: 'Installed' }, false, ['deleteConsequences', 'deleteInstalled']],
  ['a failed installation', { ...onHost, status: 'InstallFailed' }, false, ['deleteConsequences', 'deleteInstalled']],
  ['a package on backup storage', { ...onHost, hostUuid: null, status: 'Installed' }, false, ['deleteConsequences']],
  ['a package that is uploading', { ...onHost, status: 'Uploading' }, false, ['deleteConsequences', 'deleteBusy']],
  ['a package with a running job', onHost, true, ['deleteConsequences', 'deleteBusy']],
  [
    'an installed migration package',
    { ...onHost, type: 'Migrate', hostUuid: null, status: 'Installed' },
    false,
    ['deleteConsequences', 'deleteMigrate'],
  ],
  ['an uploaded migration package', { ...onHost, type: 'Migrate', hostUuid: null }, false, ['deleteConsequences']],
]
for (const [name, state, isBusy, keys] of rows)
  test(`deleting ${name}: ${keys.join(', ')}`, () => {
    const found = deletionConsequences(state, isBusy)
    assert.deepEqual(found, keys)
    for (const key of found) assert.ok(messages.en[key] && messages.zh[key])
  })

test('a running job and virtual machines need Enforcing', () => {
  assert.equal(deleteMode({ type: 'demo' }, false), 'Permissive')
  assert.equal(deleteMode({ type: 'demo' }, true), 'Enforcing')
  assert.equal(deleteMode({ type: 'Migrate' }, false), 'Enforcing')
})
