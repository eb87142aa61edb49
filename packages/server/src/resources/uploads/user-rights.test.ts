import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Role } from '@wharf/contract'
import {
  assertFailure,
  insertScopedRecords,
  rawBytes,
  tusAnswer,
  tusCall,
  tusHead,
  tusPatch,
  tusStart,
  UploadServer,
} from '@wharf/testkit'

const server = await UploadServer.start({ after })
const { database, uploads } = server

/** Of a user: its scope, and the package on a host within it. */
interface Limit {
  readonly scope: readonly string[]
  readonly packageUuid: string
}

/** A user who opens an upload of ten bytes and sends five. */
async function uploader(role: Role, permission?: 'administer', { scope = [], packageUuid }: Partial<Limit> = {}) {
  const uuid = crypto.randomUUID().replaceAll('-', '')
  const row = { uuid, name: uuid, description: null, createDate: 0, lastOpDate: 0 }
  await database.transaction(async (tx) => {
    await tx.insertInto('accounts').values(row).execute()
    await tx
      .insertInto('users')
      .values({ ...row, accountUuid: uuid, role, scope: JSON.stringify(scope), passwordHash: '' })
      .execute()
  })
  const caller = { accountUuid: uuid, userUuid: uuid }
  const upload = await server.openUpload({ size: 10, caller, permission, ...(packageUuid && { packageUuid }) })
  const first = await tusPatch(upload.url, 0, Buffer.alloc(5))
  const setRole = (to: Role) =>
    database.transaction((tx) => tx.updateTable('users').set({ role: to }).where('uuid', '=', uuid).execute())
  const remove = () => database.transaction((tx) => tx.deleteFrom('accounts').where('uuid', '=', uuid).execute())
  return { ...upload, first, setRole, remove }
}

const calls: Record<string, (url: string) => ReturnType<typeof tusCall>> = {
  'a slice': (url) => tusPatch(url, 5, Buffer.alloc(5)),
  'an empty slice': (url) => tusPatch(url, 5, Buffer.alloc(0)),
  termination: (url) => tusCall('DELETE', url),
}
const refusal = { status: 403, code: 'ID.1002', details: 'the user who opened this upload has the role reader now' }

for (const [name, call] of Object.entries(calls)) {
  test(`${name} is refused when the user who opened the upload was deleted`, async () => {
    const { url, id, remove } = await uploader('operator')
    await remove()
    assertFailure(await call(url), { status: 410, code: 'SoftwarePackage.1133' })
    assert.equal((await tusHead(url)).status, 410)
    assert.equal((await server.row(id))?.state, 'Open')
  })

  test(`${name} is refused while the user who opened the upload has too low a role`, async () => {
    const { url, id, setRole } = await uploader('operator')
    await setRole('reader')
    assertFailure(await call(url), refusal)
    assert.equal((await tusHead(url)).status, 403)
    assert.equal((await server.row(id))?.state, 'Open')
    await setRole('operator')
    assert.equal((await call(url)).status, 204)
  })
}

test('the user needs the permission that the upload was opened with', async () => {
  const { first, url, setRole } = await uploader('admin', 'administer')
  assert.equal(first.status, 204)
  await setRole('operator')
  assertFailure(await tusPatch(url, 5, Buffer.alloc(5)), { status: 403, code: 'ID.1002', details: 'role operator' })
})

for (const [name, call] of Object.entries(calls))
  test(`${name} is refused while the host of the package is outside the scope of the user`, async () => {
    const { hosts = '', softwarePackages: packageUuid = '' } = await insertScopedRecords(database, {
      name: `host of ${name}`,
      labels: { team: 'web' },
    })
    const { first, url, id } = await uploader('operator', undefined, { scope: ['labels.team=web'], packageUuid })
    assert.equal(first.status, 204)
    const setTeam = (labelValue: string) =>
      database.transaction((tx) =>
        tx.updateTable('hostLabels').set({ labelValue }).where('hostUuid', '=', hosts).execute(),
      )
    await setTeam('db')
    assertFailure(await call(url), { status: 404, code: 'SYS.1003' })
    assert.equal((await tusHead(url)).status, 404)
    assert.equal((await server.row(id))?.state, 'Open')
    await setTeam('web')
    assert.equal((await call(url)).status, 204)
  })

/** Two bytes of the last five, which the server has received. */
async function sending(url: string, id: string) {
  const checksum = { 'upload-checksum': `sha1 ${hash('sha1', Buffer.alloc(5), 'base64')}` }
  const socket = await tusStart(url, 5, 5, Buffer.alloc(2), checksum)
  while ((await server.row(id))?.uncheckedFrom === null) await delay(5)
  return socket
}

test('a slice whose user loses the right while it arrives does not finish the upload', async () => {
  const { url, id, setRole } = await uploader('operator')
  const socket = await sending(url, id)
  await setRole('reader')
  const answered = tusAnswer(socket)
  socket.write(Buffer.alloc(3))
  assert.equal((await answered).status, 403)
  assert.equal((await server.notifications(id)).finished, undefined)
})

test('a slice is interrupted when its user is deleted, and its bytes are removed', async () => {
  const { url, id, packageUuid, remove } = await uploader('operator')
  const socket = await sending(url, id)
  const answered = tusAnswer(socket)
  await remove()
  await uploads.followUsers()
  assert.equal((await answered).status, 410)
  assert.ok((await uploads.removeExpired()).includes(packageUuid))
  assert.deepEqual(await server.notifications(id), { ended: { packageUuid, code: 'SoftwarePackage.1133' } })
  assert.equal(existsSync(uploads.spoolFile(id)), false)
})

for (const method of ['PATCH', 'HEAD', 'DELETE', 'POST', 'OPTIONS'])
  test(`${method} with a wrong signature is refused before its body arrives, and the connection is closed`, async () => {
    const { url } = await server.openUpload({ size: 10 })
    const { host, pathname } = new URL(url)
    const head = `${method} ${pathname}?signature=wrong HTTP/1.1\r\nhost: ${host}\r\ntus-resumable: 1.0.0\r\n`
    const slice = 'content-type: application/offset+octet-stream\r\nupload-offset: 0\r\ncontent-length: 10\r\n\r\n12345'
    const began = performance.now()
    const answer = await rawBytes(url, head + slice)
    assert.ok(performance.now() - began < 2000)
    assert.equal(answer.status, method === 'OPTIONS' ? 204 : 404)
    assert.equal(answer.headers.get('connection'), 'close')
  })
