import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { requiredNames } from './openapi-schemas.ts'
import { operations } from './operations.ts'

/** Where packages live, and how they leave: what we have added to the interface, written down a second time. */
interface Row {
  name: string
  send: string
  permission?: 'operate'
  job?: true
  required?: string
  optional?: string
  answer?: 'inventory' | 'keys'
}

const rows: Row[] = [
  {
    name: 'AddHost',
    send: 'POST /v1/hosts params',
    job: true,
    required: 'name driver address username',
    optional: 'sshPort privateKey hostKeyFingerprint packagesPath labels description resourceUuid tagUuids',
    answer: 'inventory',
  },
  {
    name: 'GetHostKeys',
    send: 'POST /v1/hosts/keys params',
    required: 'address',
    optional: 'sshPort',
    answer: 'keys',
  },
  { name: 'DeleteHost', send: 'DELETE /v1/hosts/{uuid}', optional: 'deleteMode' },
  { name: 'ReconnectHost', send: 'PUT /v1/hosts/{uuid}/actions reconnectHost', answer: 'inventory' },
  {
    name: 'ChangeHostState',
    send: 'PUT /v1/hosts/{uuid}/actions changeHostState',
    required: 'stateEvent',
    answer: 'inventory',
  },
  {
    name: 'AddBackupStorage',
    send: 'POST /v1/backup-storage params',
    job: true,
    required: 'name type url',
    optional:
      'description username privateKey hostKeyFingerprint accessKeyId secretAccessKey region resourceUuid tagUuids',
    answer: 'inventory',
  },
  { name: 'DeleteBackupStorage', send: 'DELETE /v1/backup-storage/{uuid}', optional: 'deleteMode' },
  {
    name: 'ReconnectBackupStorage',
    send: 'PUT /v1/backup-storage/{uuid}/actions reconnectBackupStorage',
    answer: 'inventory',
  },
  {
    name: 'ChangeBackupStorageState',
    send: 'PUT /v1/backup-storage/{uuid}/actions changeBackupStorageState',
    required: 'stateEvent',
    answer: 'inventory',
  },
  {
    name: 'UninstallSoftwarePackage',
    send: 'PUT /v1/software-package/{uuid}/actions uninstallSoftwarePackage',
    permission: 'operate',
    job: true,
    answer: 'inventory',
  },
  {
    name: 'DeleteSoftwarePackage',
    send: 'DELETE /v1/software-package/{uuid}',
    permission: 'operate',
    job: true,
    optional: 'deleteMode',
  },
]

const words = (text = ''): string[] => text.split(' ').filter(Boolean).toSorted()
const named = (name: string) => {
  const found = operations.find((operation) => operation.name === name)
  assert.ok(found, name)
  return found
}

for (const row of rows)
  test(`${row.name} is ${row.send}`, () => {
    const { method, path, structure, since, permission, mode, timeoutSeconds, fields, answer } = named(row.name)
    const required = requiredNames(fields)
    assert.equal([method, path, structure].filter(Boolean).join(' '), row.send)
    assert.equal(since, 'wharf-1.0.0')
    assert.equal(permission, row.permission ?? 'administer')
    assert.deepEqual([mode, timeoutSeconds], row.job ? ['job', 1800] : ['call', undefined])
    assert.deepEqual(required.toSorted(), words(row.required))
    assert.deepEqual(
      Object.keys(fields)
        .filter((name) => !required.includes(name))
        .toSorted(),
      words(row.optional),
    )
    assert.deepEqual(Object.keys(answer), words(row.answer))
  })

test('credentials go in and never come out', () => {
  const isSecret = (schema: unknown) => (schema as TSchema & { writeOnly?: boolean }).writeOnly === true
  const secrets = ['AddHost', 'AddBackupStorage'].flatMap((name) => {
    const { fields, answer } = named(name)
    const shown = Object.keys((answer as { inventory: { properties: object } }).inventory.properties)
    const sent = Object.keys(fields).filter((field) => isSecret(fields[field]))
    assert.deepEqual(
      sent.filter((field) => shown.includes(field)),
      [],
    )
    return sent
  })
  assert.deepEqual(secrets, ['privateKey', 'privateKey', 'accessKeyId', 'secretAccessKey'])
})
