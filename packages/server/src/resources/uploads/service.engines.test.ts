import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { MovingClock, tusHead, tusPatch, UploadServer, uploadCaller } from '@wharf/testkit'

const cleanups: (() => Promise<void>)[] = []
const clock = new MovingClock()
let server: UploadServer
before(async () => {
  server = await UploadServer.start({ after: (work) => void cleanups.push(work) }, { clock, maxPackageBytes: 1000 })
})
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

const find = (key: string, caller = uploadCaller) =>
  server.database.transaction((tx) => server.uploads.findOpen(tx, caller, key))

test('the resume key of an unfinished upload returns the same address to its owner', async () => {
  const upload = await server.openUpload({ size: 10, resumeKey: 'file-1', fileName: 'a.tar' })
  const found = await find('file-1')
  assert.equal(found.length, 1)
  assert.equal(found[0]?.packageUuid, upload.packageUuid)
  assert.ok(upload.url.endsWith(found[0]?.path ?? '?'))
  assert.deepEqual([found[0]?.size, found[0]?.fileName], [10, 'a.tar'])
  assert.deepEqual(await find('file-2'), [])
  assert.deepEqual(await find('file-1', { ...uploadCaller, userUuid: 'f'.repeat(32) }), [])
})

test('of several uploads with one key the newest is first; finished, ended and expired ones are excluded', async () => {
  const open = async (): Promise<{ url: string; packageUuid: string }> => {
    clock.advance(1000)
    return server.openUpload({ size: 3, resumeKey: 'again' })
  }
  const [older, newer, finished, ended] = [await open(), await open(), await open(), await open()]
  await tusPatch(finished.url, 0, Buffer.alloc(3))
  await server.database.transaction((tx) => server.uploads.end(tx, ended.packageUuid))
  const found = await find('again')
  assert.deepEqual(
    found.map(({ packageUuid }) => packageUuid),
    [newer.packageUuid, older.packageUuid],
  )
  clock.advance(73 * 3_600_000)
  assert.deepEqual(await find('again'), [])
})

test('an upload that is opened in a transaction that fails does not exist', async () => {
  let path = ''
  const opening = server.database.transaction(async (tx) => {
    const upload = { packageUuid: 'e'.repeat(32), fileName: 'x', size: 0, caller: uploadCaller }
    path = (await server.uploads.open(tx, upload)).path
    throw new Error('no')
  })
  await assert.rejects(opening, /no/)
  assert.equal((await tusHead(`http://127.0.0.1:${server.port}${path}`)).status, 410)
})

test('a package larger than allowed is refused when it is announced', async () => {
  await assert.rejects(server.openUpload({ size: 1001 }), { code: 'SYS.1007', status: 413 })
})

test('a finished upload ends when its package is deleted', async () => {
  const { url, id, packageUuid } = await server.openUpload({ size: 3 })
  await tusPatch(url, 0, Buffer.alloc(3))
  assert.equal(existsSync(server.uploads.spoolFile(id)), true)
  await server.database.transaction((tx) => server.uploads.end(tx, packageUuid))
  await server.database.transaction((tx) => server.uploads.end(tx, packageUuid))
  assert.equal((await tusHead(url)).status, 410)
  assert.equal(existsSync(server.uploads.spoolFile(id)), false)
})
