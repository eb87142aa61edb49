import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  type Client,
  reverseCleanup,
  ServerProcess,
  serverEnvironment,
  TestServer,
  testEngine,
} from '@wharf/testkit'

const MiB = 1024 * 1024
/** Entries are chained within one second (`chainMs`). */
const quietMs = 1200
const skip = process.getuid?.() === 0 ? false : 'mounting a small file system needs root'

const mount = (...args: string[]): number | null => spawnSync('mount', args).status

/** A folder on a file system of its own, unmounted after the test. */
function mounted(t: TestContext, ...args: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-disk-'))
  assert.equal(mount(...args, folder), 0)
  t.after(() => {
    spawnSync('umount', ['--recursive', '--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** Polls until a probe has this status and text: the result of an earlier check may still be reported for a moment. */
async function waitForReadiness(probeReadiness: () => Promise<Answer>, status: number, text = /(?:)/): Promise<string> {
  let last = ''
  for (let tries = 0; tries < 100; tries++) {
    const answer = await probeReadiness()
    if (answer.status === status && text.test(answer.text)) return answer.text
    last = `${answer.status} ${answer.text}`
    await delay(100)
  }
  return assert.fail(`/readyz did not become ${status} ${text}, but is ${last}`)
}

async function waitUntilUnchanged(file: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { mtimeMs } = statSync(file)
    await delay(quietMs)
    if (statSync(file).mtimeMs === mtimeMs) return
  }
  assert.fail(`${file} changes all the time`)
}

async function startOn(t: TestContext, data: string): Promise<TestServer> {
  const server = await TestServer.open({ ...(await serverEnvironment(t)), WHARF_DATA: data })
  t.after(() => server.app.close())
  return server
}

test('a node is not ready while it cannot write its data folder', { skip }, async (t) => {
  const data = join(mounted(t, '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs'), 'data')
  const server = await startOn(t, data)
  const probeReadiness = () => server.anonymous.get('/readyz')
  assert.equal((await probeReadiness()).status, 200)

  await t.test('because its disk is full', async () => {
    const fill = join(data, 'fill')
    const { bavail, bsize } = statfsSync(data)
    writeFileSync(fill, Buffer.alloc(bavail * bsize))
    await waitForReadiness(probeReadiness, 503, /SYS\.1010.*(is full|no space left on device)/)
    assert.equal((await server.anonymous.get('/healthz')).status, 200)
    truncateSync(fill)
    await waitForReadiness(probeReadiness, 200)
  })

  for (const part of ['', 'uploads'])
    await t.test(`because ${part || 'its disk'} is read-only`, async () => {
      const folder = join(data, part)
      assert.equal(mount('--bind', folder, folder), 0)
      assert.equal(mount('-o', 'remount,ro,bind', folder), 0)
      await waitForReadiness(probeReadiness, 503, /cannot be written: read-only file system/)
      spawnSync('umount', [folder])
      await waitForReadiness(probeReadiness, 200)
    })
})

if (testEngine === 'sqlite')
  test('a start on a full disk is refused with the remedy', { skip }, async (t) => {
    const data = join(mounted(t, '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs'), 'data')
    await (await startOn(t, data)).app.close()
    const { bavail, bsize } = statfsSync(data)
    writeFileSync(join(data, 'fill'), Buffer.alloc(bavail * bsize))
    await assert.rejects(
      startOn(t, data),
      /wharf\.db cannot be opened: its disk is full, with 0 KiB free; free space in/,
    )
    rmSync(join(data, 'fill'))
    await startOn(t, data)
  })

async function tagNames(client: Client): Promise<string[]> {
  const answer = await client.get('/v1/tags')
  assert.equal(answer.status, 200, answer.text)
  return (answer.body.inventories as { name: string }[]).map(({ name }) => name).sort()
}

test('a node whose disk hangs is alive and not ready, and recovers with the disk', { skip }, async (t) => {
  const cleanup = reverseCleanup(t)
  const folder = mkdtempSync(join(tmpdir(), 'wharf-disk-'))
  const image = `${folder}.ext4`
  cleanup.after(async () => {
    rmSync(folder, { recursive: true })
    rmSync(image)
  })
  writeFileSync(image, '')
  truncateSync(image, 128 * MiB)
  assert.equal(spawnSync('mkfs.ext4', ['-q', image]).status, 0)
  if (mount('-o', 'loop', image, folder) !== 0) return t.skip('this machine has no loop devices')
  cleanup.after(async () => void spawnSync('umount', [folder]))
  const data = join(folder, 'data')
  mkdirSync(data)
  const server = new ServerProcess({ ...(await serverEnvironment(cleanup)), WHARF_DATA: data })
  cleanup.after(async () => {
    spawnSync('fsfreeze', ['--unfreeze', folder])
    await server.kill()
  })
  await server.start()
  const { anonymous, admin } = server
  const during = Array.from({ length: 20 }, (_, index) => `during ${index}`)
  const create = (name: string) => admin.post('/v1/tags', { params: { name } })
  const before = await create('before')
  assert.equal(before.status, 200)
  // a commit that has passed its probe of the disk still blocks the main thread, such as that of the tag's audit entry, which a
  // reader of the trail causes now
  assert.equal((await admin.get('/v1/audit-entries?limit=1')).status, 200)
  if (testEngine === 'sqlite') await waitUntilUnchanged(join(data, 'wharf.db-wal'))
  assert.equal(spawnSync('fsfreeze', ['--freeze', folder]).status, 0)
  const began = performance.now()
  // on SQLite a commit of the main thread would block it; PostgreSQL's disk is another
  const writes = Promise.all(during.map(create))
  let slowestMs = 0
  while (performance.now() - began < 6000) {
    const sentAt = performance.now()
    assert.equal((await anonymous.get('/healthz')).status, 200)
    slowestMs = Math.max(slowestMs, performance.now() - sentAt)
    await delay(50)
  }
  assert.ok(slowestMs < 2000, `/healthz took ${slowestMs} ms`)
  assert.match(await waitForReadiness(() => anonymous.get('/readyz'), 503), /has not finished a write for \d+ s/)
  const answers = await writes
  const isAcknowledged = testEngine === 'postgres'
  for (const answer of answers) {
    assert.equal(answer.status, isAcknowledged ? 200 : 503, answer.text)
    if (!isAcknowledged) assert.ok(answer.headers.has('retry-after'))
  }
  assert.deepEqual(await tagNames(admin), ['before', ...(isAcknowledged ? during : [])].sort())
  const refusedAt = performance.now()
  assert.equal((await create('refused at once')).status, isAcknowledged ? 200 : 503)
  assert.ok(performance.now() - refusedAt < 2000, 'a known hang was waited for')
  spawnSync('fsfreeze', ['--unfreeze', folder])
  await waitForReadiness(() => anonymous.get('/readyz'), 200)
  assert.equal((await create('after')).status, 200)
})
