import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { newUuid } from '@wharf/platform/ids.ts'
import { type Answer, assertFailure, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { database, settings } = server.app.foundation
const folder = mkdtempSync(join(tmpdir(), 'wharf-update-storage-'))
after(() => rmSync(folder, { recursive: true }))
const urlOf = (name: string): string => {
  mkdirSync(join(folder, name), { recursive: true })
  return pathToFileURL(join(folder, name)).href
}

interface Storage {
  uuid: string
  name: string
  url: string
  description: string | null
}

const params = { name: 'archive', type: 'folder', url: urlOf('first'), description: 'old' }
const added = await server.admin.post('/v1/backup-storage', { params })
const { uuid } = added.body.inventory as Storage
const update = (fields: object, by: Pick<typeof server.admin, 'put'> = server.admin): Promise<Answer> =>
  by.put(`/v1/backup-storage/${uuid}/actions`, { updateBackupStorage: fields })
const row = () =>
  database.read.selectFrom('backupStorage').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()

async function updated(fields: object): Promise<Storage> {
  const answer = await update(fields)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Storage
}

/** A package on the storage. */
async function store(path: string): Promise<void> {
  writeFileSync(join(folder, 'first', path), 'bytes')
  const times = { createDate: Date.now(), lastOpDate: Date.now() }
  const columns = { name: 'exporter', type: 'demo', installPath: path, status: 'Uploaded', size: 5, md5sum: null }
  await database.transaction((tx) =>
    tx
      .insertInto('softwarePackages')
      .values({ uuid: newUuid(), backupStorageUuid: uuid, ...columns, ...times } as never)
      .execute(),
  )
}

const operator = await server.signIn('operator')

test('a name and a description change at once', async () => {
  assert.partialDeepStrictEqual(await updated({ name: 'attic', description: 'new' }), {
    name: 'attic',
    description: 'new',
  })
  assert.equal((await updated({ clear: ['description'] })).description, null)
})

test('an empty storage may move; one with packages only to where they are', async () => {
  await updated({ url: urlOf('empty') })
  await updated({ url: urlOf('first') })
  await store('exporter.tar')
  const before = await row()
  const details = /does not contain software package exporter \(exporter\.tar\) of backup storage attic/
  assertFailure(await update({ url: urlOf('second'), name: 'other' }), { status: 409, code: 'SYS.1006', details })
  assert.deepEqual(await row(), before)
  writeFileSync(join(folder, 'second', 'exporter.tar'), 'bytes')
  const moved = await updated({ url: urlOf('second'), name: 'other' })
  assert.partialDeepStrictEqual(moved, { name: 'other', url: urlOf('second'), status: 'Connected' })
})

for (const [name, fields, expected, by] of [
  ['a folder that does not exist', { url: `${urlOf('first')}/missing` }, { status: 502, code: 'BS.1003' }],
  [
    'the data folder',
    { url: pathToFileURL(settings.data).href },
    { status: 400, code: 'SYS.1007', details: /data folder/ },
  ],
  ['another type', { url: 'sftp://10.0.0.1/x' }, { status: 400, code: 'SYS.1007', details: /file:/ }],
  [
    'credentials of another type',
    { accessKeyId: 'a' },
    { status: 400, code: 'SYS.1007', details: /belongs to type s3/ },
  ],
  [
    'a description and its removal, before another url is tried',
    { url: `${urlOf('first')}/missing`, description: 'x', clear: ['description'] },
    { status: 400, code: 'SYS.1007', details: /description is given/ },
  ],
  ['a field that cannot change', { type: 's3' }, { status: 400, code: 'SYS.1007', details: /type/ }],
  ['an operator', { name: 'x' }, { status: 403, code: 'ID.1002' }, operator],
] as const)
  test(`refuses ${name}, and nothing changes`, async () => {
    const before = await row()
    assertFailure(await update(fields, by), expected)
    assert.deepEqual(await row(), before)
  })
