import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  reverseCleanup,
  serverEnvironment,
  tusAnswer,
  tusCall,
  tusHead,
  tusOffset,
  tusPatch,
  tusStart,
  UploadServer,
} from '@wharf/testkit'

const MiB = 1024 * 1024
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

/** Servers that run one after the other on the same folder and database; each stops the previous one. */
async function successiveServers(t: TestContext) {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  let running: UploadServer | undefined
  const end = async (): Promise<void> => {
    await running?.close()
    running = undefined
  }
  cleanup.after(end)
  const next = async (options: Parameters<typeof UploadServer.open>[1] = {}): Promise<UploadServer> => {
    await end()
    running = await UploadServer.open(environment, options)
    return running
  }
  return { next, end, environment }
}

const at = (server: { port: number }, url: string): string => url.replace(/:\d+\//, `:${server.port}/`)

test('a server that stops keeps the bytes of a slice that arrived, and answers 503', async (t) => {
  const { next } = await successiveServers(t)
  const first = await next()
  const bytes = randomBytes(3 * MiB)
  const { url, id } = await first.openUpload({ size: bytes.length, md5: md5(bytes) })
  const running = await tusStart(url, 0, bytes.length, bytes.subarray(0, 2 * MiB + 10))
  const file = first.uploads.spoolFile(id)
  const spooledBytes = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  for (let attempt = 0; attempt < 1000 && spooledBytes() < 2 * MiB; attempt++) await delay(5)
  // for the last ten
  await delay(50)
  const answer = tusAnswer(running)
  const second = await next()
  const { status, text } = await answer
  assert.equal(status, 503)
  assert.match(text, /retry-after: 1\r\n[\s\S]*SYS\.1010/i)
  assert.equal(await tusOffset(at(second, url)), 2 * MiB + 10)
  assert.equal((await tusPatch(at(second, url), 2 * MiB + 10, bytes.subarray(2 * MiB + 10))).status, 204)
  assert.equal((await second.row(id))?.md5, md5(bytes))
})

test('a complete file that was not reported is finished once at the start', async (t) => {
  const { next, end, environment } = await successiveServers(t)
  const first = await next()
  const bytes = randomBytes(2 * MiB)
  const { id } = await first.openUpload({ size: bytes.length, md5: md5(bytes) })
  await end()
  // the state after kill -9 between the last byte and the end of the slice
  writeFileSync(join(environment.WHARF_DATA ?? '', 'uploads', id), bytes)
  for (let start = 0; start < 2; start++) {
    const server = await next()
    await server.waitForState(id, 'Finished')
    assert.deepEqual(Object.keys(await server.notifications(id)), ['finished'])
  }
})

/** A database whose connection can be interrupted, for reads and for writes. */
function behindLine() {
  const line = { cutWritesFrom: Number.POSITIVE_INFINITY, isReadCut: false, writes: 0 }
  const away = () => Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
  const wrapDatabase = (database: UploadServer['database']) =>
    new Proxy(database, {
      get: (target, name) => {
        if (name === 'read' && line.isReadCut) throw away()
        if (name !== 'transaction') return Reflect.get(target, name, target)
        const transaction: UploadServer['database']['transaction'] = async (work, options) => {
          if (line.writes++ >= line.cutWritesFrom) throw away()
          return target.transaction(work, options)
        }
        return transaction
      },
    })
  return { line, wrapDatabase }
}

test('an upload whose last slice arrives while the database is unavailable is finished once when it is available', async (t) => {
  const { line, wrapDatabase } = behindLine()
  const server = await UploadServer.start(t, { wrapDatabase })
  const bytes = randomBytes(1000)
  // unavailable when the slice is recorded, and only at the end of the upload
  for (const writesBefore of [0, 1]) {
    const { url, id } = await server.openUpload({ size: bytes.length, md5: md5(bytes) })
    Object.assign(line, { cutWritesFrom: writesBefore, writes: 0 })
    assert.equal((await tusPatch(url, 0, bytes)).status, 503)
    line.isReadCut = true
    await delay(700)
    assert.equal((await server.row(id))?.state, 'Open')
    Object.assign(line, { cutWritesFrom: Number.POSITIVE_INFINITY, isReadCut: false })
    await server.waitForState(id, 'Finished')
    assert.deepEqual(Object.keys(await server.notifications(id)), ['finished'])
  }
})

test('a HEAD of a complete upload finishes it', async (t) => {
  const server = await UploadServer.start(t)
  const bytes = randomBytes(1000)
  const { url, id } = await server.openUpload({ size: bytes.length, md5: md5(bytes) })
  writeFileSync(server.uploads.spoolFile(id), bytes)
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => tusOffset(url))), [1000, 1000, 1000])
  await server.waitForState(id, 'Finished')
  assert.deepEqual(Object.keys(await server.notifications(id)), ['finished'])
})

test('the announced SHA-256 is verified after a crash', async (t) => {
  const { next, end, environment } = await successiveServers(t)
  const bytes = randomBytes(2 * MiB)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const first = await next()
  const right = await first.openUpload({ size: bytes.length, sha256 })
  const wrong = await first.openUpload({
    size: bytes.length,
    sha256: sha256.replace(/./, (digit) => (digit === '0' ? '1' : '0')),
  })
  await end()
  for (const { id } of [right, wrong]) writeFileSync(join(environment.WHARF_DATA ?? '', 'uploads', id), bytes)
  const second = await next()
  await second.waitForState(right.id, 'Finished')
  await second.waitForState(wrong.id, 'Ended')
  const ended = { packageUuid: wrong.packageUuid, code: 'SoftwarePackage.1132' }
  assert.deepEqual(await second.notifications(wrong.id), { ended })
})

test('a finish whose listener fails is retried', async (t) => {
  const { next } = await successiveServers(t)
  const first = await next({
    onFinished: async () => {
      throw new Error('not now')
    },
  })
  const { url, id } = await first.openUpload({ size: 5 })
  assert.equal((await tusPatch(url, 0, Buffer.alloc(5))).status, 500)
  assert.equal((await first.row(id))?.state, 'Open')
  assert.equal(await tusOffset(url), 5)
  const second = await next()
  await second.waitForState(id, 'Finished')
})

test('bytes of an unverified slice do not count after a crash', async (t) => {
  const { next, end, environment } = await successiveServers(t)
  const first = await next()
  const bytes = randomBytes(1000)
  const { url, id } = await first.openUpload({ size: bytes.length })
  await tusPatch(url, 0, bytes.subarray(0, 400))
  await first.database.transaction((tx) =>
    tx.updateTable('uploads').set({ uncheckedFrom: 400 }).where('id', '=', id).execute(),
  )
  await end()
  appendFileSync(join(environment.WHARF_DATA ?? '', 'uploads', id), Buffer.alloc(600, 'wrong'))
  const second = await next()
  assert.equal(await tusOffset(at(second, url)), 400)
  assert.equal((await tusPatch(at(second, url), 400, bytes.subarray(400))).status, 204)
  assert.equal((await second.row(id))?.md5, md5(bytes))
})

test('bytes without an upload are removed at the start, those of open uploads are not', async (t) => {
  const { next, end, environment } = await successiveServers(t)
  const first = await next()
  const kept = await first.openUpload({ size: 10 })
  const gone = await first.openUpload({ size: 10 })
  for (const { url } of [kept, gone]) await tusPatch(url, 0, Buffer.alloc(4))
  await tusCall('DELETE', gone.url)
  await end()
  const file = (name: string): string => join(environment.WHARF_DATA ?? '', 'uploads', name)
  for (const name of [gone.id, 'f'.repeat(32), 'notes.txt']) writeFileSync(file(name), 'left over')
  const second = await next()
  const there = [kept.id, gone.id, 'f'.repeat(32), 'notes.txt'].map((name) => existsSync(file(name)))
  assert.deepEqual(there, [true, false, false, true])
  assert.equal(await tusOffset(at(second, kept.url)), 4)
})

test('an upload belongs to the node whose disk it is on', async (t) => {
  const { next } = await successiveServers(t)
  const first = await next()
  const { url } = await first.openUpload({ size: 10 })
  const second = await next({ nodeUuid: 'd'.repeat(32) })
  assert.equal((await tusHead(at(second, url))).status, 502)
  const answer = await tusPatch(at(second, url), 0, Buffer.alloc(10))
  assert.match(answer.text, new RegExp(`SYS\\.1012.*${'c'.repeat(32)}`))
})
