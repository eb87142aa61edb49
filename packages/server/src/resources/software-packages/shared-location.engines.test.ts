import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Answer, assertFailure, PackageFixture, recordIn, reverseCleanup } from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
const fixture = await PackageFixture.start(cleanup)
/** Two backup storages on one folder. */
async function addStoragesOnOneFolder() {
  const folder = mkdtempSync(join(fixture.folder, 'shelf-'))
  const add = async (name: string): Promise<string> => {
    const added = await fixture.admin.post('/v1/backup-storage', {
      params: { name, type: 'folder', url: `file://${folder}` },
    })
    assert.equal(added.status, 200, added.text)
    return (added.body.inventory as { uuid: string }).uuid
  }
  return { folder, one: await add('one'), other: await add('other') }
}

let count = 0
/** A file whose rest is sent at `finish`; `started` resolves at its first byte. */
function slowFile(content: string) {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const url = fixture.source.serve(`slow-${count++}.bin`, async (response) => {
    response.writeHead(200, { 'content-length': content.length }).write(content.slice(0, 1))
    started.resolve()
    await finish.promise
    response.end(content.slice(1))
  })
  return { url, started: started.promise, finish: () => finish.resolve() }
}

const upload = (backupStorageUuid: string, url: string): Promise<Answer> =>
  fixture.toStorage({ url, backupStorageUuid, installPath: 'same.bin' })

test('the second of two uploads to one path is refused, and the file of the first stays', async () => {
  const { folder, one, other } = await addStoragesOnOneFolder()
  const slow = slowFile('the first upload')
  const first = upload(one, slow.url)
  await Promise.race([slow.started, first])
  const second = await upload(other, fixture.source.serve('quick.bin', Buffer.from('quick')))
  assertFailure(second, { status: 409, code: 'SYS.1002', details: 'is being written' })
  slow.finish()
  const { uuid } = recordIn(await first)
  assert.equal((await fixture.get(uuid)).status, 'Uploaded')
  assert.deepEqual(readdirSync(folder), ['same.bin'])
  assert.equal(readFileSync(join(folder, 'same.bin'), 'utf8'), 'the first upload')
})
