import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@wharf/contract'
import { kindOf, kinds } from './record-kind.ts'

const rows = {
  UploadSoftwarePackage: 'packages',
  UploadSoftwarePackageToBackupStorage: 'packages',
  InstallSoftwarePackage: 'packages',
  AddHost: 'hosts',
  UpdateHost: 'hosts',
  AddBackupStorage: 'backup-storage',
  AddClusterPlugin: 'clusters',
  UpdateClusterConfig: 'clusters',
  TestChatAppEndpoint: 'chat',
  CreateMigrateVmInstance: 'migration',
  DeleteMigrateVmInstance: 'migration',
} as const

for (const [operation, kind] of Object.entries(rows))
  test(`the record of ${operation} is on the page ${kind}`, () => assert.equal(kindOf(operation), kind))

test('an operation without a page has no kind', () => {
  assert.equal(kindOf('StartDemo'), undefined)
  assert.equal(kindOf(''), undefined)
})

test('every job operation of the contract has a page', () => {
  const missing = operations.filter(({ mode, name }) => mode === 'job' && kindOf(name) === undefined)
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

test('every kind is queried by an operation that lists records with uuid and name', () => {
  for (const { name, queries } of Object.values(kinds)) {
    const properties = Object.keys(queries?.schema.properties ?? {})
    assert.ok(properties.includes('uuid') && properties.includes('name'), name)
  }
})
