import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  Client,
  EventRecorder,
  LoadBalancer,
  nodeEnvironments,
  reverseCleanup,
  ServerProcess,
  testEngine,
} from '@wharf/testkit'
import { Upload } from 'tus-js-client'

const MiB = 2 ** 20

/** Two nodes as processes behind HAProxy, on one PostgreSQL, which alone can be shared. */
if (testEngine === 'postgres') {
  const cleanup = reverseCleanup({ after })
  const balancer = await LoadBalancer.reserve()
  const settings = { WHARF_TRUSTED_PROXIES: '127.0.0.1', WHARF_PUBLIC_URL: balancer.url }
  const [one = {}, two = {}] = await nodeEnvironments(cleanup, 2)
  const first = new ServerProcess({ ...one, ...settings })
  const second = new ServerProcess({ ...two, ...settings })
  for (const node of [first, second]) {
    await node.start()
    cleanup.after(() => node.kill())
  }
  await balancer.start(cleanup, [first.bootstrap.url, second.bootstrap.url])
  const { accountName, password } = first.bootstrap

  const nobody = new Client(balancer.url, { kind: 'none' })
  const signedIn = async (): Promise<string> => {
    const answer = await nobody.put('/v1/accounts/login', { logInByAccount: { accountName, password } })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body.inventory as { uuid: string }).uuid
  }
  const session = await signedIn()
  const at = (url: string, uuid = session) => new Client(url, { kind: 'session', uuid })
  const admin = at(balancer.url)
  const urls = [balancer.url, first.bootstrap.url, second.bootstrap.url]

  const upload = async (node: ServerProcess, size: number) => {
    const { hostUuid, managementNodeUuid } = node.bootstrap
    const installPath = `/tmp/wharf-balanced-${randomBytes(6).toString('hex')}`
    after(() => rm(installPath, { force: true }))
    const params = { name: 'b', type: 'b', url: `upload://b?size=${size}`, installPath, hostUuid, managementNodeUuid }
    const answer = await admin.post('/v1/software-packages/upload', { params })
    assert.equal(answer.status, 200, answer.text)
    const { uuid } = answer.body.inventory as { uuid: string }
    return { uuid, uploadUrl: String(answer.body.systemTags).slice('uploadUrl::'.length) }
  }
  const send = (bytes: Buffer, uploadUrl: string, chunkSize: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const retryDelays = [0, 100, 300, 1000, 3000, 3000]
      new Upload(bytes, { uploadUrl, chunkSize, retryDelays, onSuccess: () => resolve(), onError: reject }).start()
    })
  const md5Of = async (uuid: string): Promise<string> => {
    for (let tries = 0; tries < 500; tries++) {
      const [row] = (await admin.get(`/v1/software-package/${uuid}`)).body.inventories as Record<string, string>[]
      if (row?.status === 'Uploaded') return row.md5sum ?? ''
      await delay(20)
    }
    throw new Error('it is still not Uploaded')
  }
  const slicesAt = ({ stderr }: ServerProcess): number =>
    stderr.split('\n').filter((line) => line.includes('"PATCH"') && line.includes('"status":204')).length

  test('a session of one node is valid at all of them', async () => {
    for (const url of urls) assert.equal((await at(url).get('/v1/hosts?count=true')).status, 200, url)
  })

  test('a session that was ended is refused at every node within a second', async () => {
    for (const url of urls) {
      const uuid = await signedIn()
      for (const other of urls) assert.equal((await at(other, uuid).get('/v1/tags')).status, 200)
      await new Client(url, { kind: 'none' }).delete(`/v1/accounts/sessions/${uuid}`)
      await delay(1000)
      for (const other of urls) assert.equal((await at(other, uuid).get('/v1/tags')).status, 401)
    }
  })

  test('slices go through both nodes, to the node of the upload', async () => {
    for (const node of [first, second]) {
      const before = [slicesAt(first), slicesAt(second)] as const
      const bytes = randomBytes(4 * MiB)
      const { uuid, uploadUrl } = await upload(node, bytes.length)
      assert.ok(uploadUrl.startsWith(balancer.url), uploadUrl)
      await send(bytes, uploadUrl, MiB / 4)
      assert.equal(await md5Of(uuid), createHash('md5').update(bytes).digest('hex'))
      for (const [index, process] of [first, second].entries())
        assert.ok(slicesAt(process) > (before[index] ?? 0), `node ${index + 1} received no call`)
    }
  })

  test('a large slice is not kept in the memory of the node that forwards it', async () => {
    const peak = (): number =>
      Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${first.pid}/status`, 'utf8'))?.[1]) / 1024
    const bytes = Buffer.alloc(64 * MiB, 'wharf')
    const { uploadUrl } = await upload(second, 2 * bytes.length)
    const direct = uploadUrl.replace(balancer.url, first.bootstrap.url)
    const before = peak()
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const answer = await fetch(direct, { method: 'PATCH', headers, body: bytes })
    assert.equal(answer.status, 204)
    assert.ok(peak() - before < 48, `${before} MiB became ${peak()} MiB`)
  })

  test('events of every node arrive', async () => {
    const tape = await EventRecorder.open(admin)
    const names = urls.map(() => randomUUID())
    for (const [index, url] of urls.entries()) await at(url).post('/v1/tags', { params: { name: names[index] } })
    await tape.waitForEvents(3)
    assert.equal(tape.changes.filter((change) => change.startsWith('Created')).length, 3)
    tape.stop()
  })

  test('one node is killed: calls continue, each change happens once, and uploads of the other continue', async () => {
    const stop = new AbortController()
    const reads: number[] = []
    const changes: string[] = []
    const reading = (async () => {
      while (!stop.signal.aborted) {
        reads.push((await admin.get('/v1/tags?limit=1')).status)
        await delay(40)
      }
    })()
    const changing = (async () => {
      while (!stop.signal.aborted) {
        const name = `once-${randomUUID()}`
        const headers = { 'idempotency-key': randomUUID() }
        for (let tries = 0; tries < 50; tries++) {
          const { status } = await admin.post('/v1/tags', { params: { name } }, headers).catch(() => ({ status: 0 }))
          if (status === 200) break
          await delay(100)
        }
        changes.push(name)
        await delay(40)
      }
    })()
    const bytes = randomBytes(12 * MiB)
    const { uuid, uploadUrl } = await upload(first, bytes.length)
    const sending = send(bytes, uploadUrl, MiB / 2)
    await delay(500)
    await second.kill()
    await delay(4000)
    await sending
    stop.abort()
    await Promise.all([reading, changing])
    assert.equal(await md5Of(uuid), createHash('md5').update(bytes).digest('hex'))
    assert.deepEqual(new Set(reads), new Set([200]))
    const { inventories } = (await admin.get('/v1/tags?q=name~=once-%25&limit=10000')).body
    const found = (inventories as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(found.toSorted(), changes.toSorted())
  })
}
