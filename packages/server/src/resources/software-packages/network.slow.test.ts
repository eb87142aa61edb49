import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  hostsNeedRoot,
  installable,
  PackageFixture,
  reverseCleanup,
  type TestHost,
  TrialJob,
  TricklingBytes,
} from '@wharf/testkit'

const noticedMs = 15_000

interface Host {
  readonly machine: TestHost
  readonly uuid: string
}

let fixture: PackageFixture
let hosts: Host[]
const cleanup = reverseCleanup({ after })
before(async () => {
  fixture = await PackageFixture.start(cleanup)
  hosts = await fixture.addHosts(cleanup, 3)
  for (const host of hosts) await host.machine.exec(`mkdir -p ${folderOf(host)}`)
})
/** Each test disturbs a host of its own. */
const nextHost = (): Host => hosts.pop() as Host
/** Where hosts share the disk of this machine, each has a folder of its own. */
const folderOf = ({ uuid }: Host): string => `${fixture.folder}/${uuid}`

async function until(what: string, condition: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const startedAt = performance.now(); !(await condition()); await delay(100))
    assert.ok(performance.now() - startedAt < withinMs, `${what} takes too long`)
}

const listing = (host: Host): Promise<string> => host.machine.exec(`find ${folderOf(host)} -mindepth 1`)

/** Starts an upload of endless bytes to this host. */
async function startEndlessUpload(host: Host, name: string): Promise<TrialJob> {
  const trickle = new TricklingBytes(100_000, 20)
  const url = fixture.source.serve(name, trickle.serve)
  const params = { url, hostUuid: host.uuid, installPath: `${folderOf(host)}/new/${name}` }
  const started = await fixture.upload(params, { prefer: 'respond-async' })
  assert.equal(started.status, 202, started.text)
  await until('the first byte', async () => (await listing(host)).includes('.part'), 10_000)
  return new TrialJob(fixture.admin, String(started.body.location))
}

async function uploadWorks(host: Host, name: string): Promise<number> {
  const startedAt = performance.now()
  const url = fixture.source.serve(name, installable())
  const answer = await fixture.upload({ url, hostUuid: host.uuid, installPath: `${folderOf(host)}/${name}` })
  assert.equal(answer.status, 200, answer.text)
  return performance.now() - startedAt
}

test('a link that goes down during a transfer: a clear failure, nothing left, and the next upload works', {
  skip: hostsNeedRoot,
}, async () => {
  const host = nextHost()
  const job = await startEndlessUpload(host, 'endless.bin')
  const { subjectUuid } = await job.row()
  await host.machine.linkDown()
  await until('the failure', async () => /failed: HOST\./.test((await job.log()).join('\n')), noticedMs + 2000)
  await host.machine.linkUp()
  const answer = await job.waitForEnd(60_000)
  assert.equal(answer.body.error?.code, 'HOST.1003', answer.text)
  assert.match(String(answer.body.error?.details), /^(lost the|no) connection/)
  assert.equal((await fixture.get(String(subjectUuid))).status, 'UploadFailed')
  await until('the removal of its files', async () => (await listing(host)) === '', 5000)
  const reconnected = await fixture.admin.put(`/v1/hosts/${host.uuid}/actions`, { reconnectHost: {} })
  assert.equal(reconnected.status, 200, reconnected.text)
  await uploadWorks(host, 'afterwards.tar')
})

test('a host that accepts and never answers is noticed in 15 s, and nothing else waits for it', async () => {
  const host = nextHost()
  const other = nextHost()
  const job = await startEndlessUpload(host, 'frozen.bin')
  host.machine.freeze()
  try {
    const startedAt = performance.now()
    const params = { url: fixture.source.serve('new.tar', installable()), hostUuid: host.uuid }
    const newUpload = fixture.upload({ ...params, installPath: `${folderOf(host)}/new.tar` }).then((answer) => {
      assert.ok(performance.now() - startedAt < noticedMs, 'the new upload notices it late')
      assert.equal(answer.status, 502, answer.text)
      assert.match(String(answer.body.error?.code), /^HOST\.10(03|10)$/)
    })
    const inTransfer = until(
      'the failure of the one in transfer',
      async () => /failed: HOST\.1003/.test((await job.log()).join('\n')),
      noticedMs,
    )
    for (let times = 0; times < 5; times++) {
      const took = await uploadWorks(other, `meanwhile-${times}.tar`)
      assert.ok(took < 8000, `an upload to another host took ${took} ms`)
      const sentAt = performance.now()
      assert.equal((await fixture.admin.get('/v1/software-package')).status, 200)
      assert.ok(performance.now() - sentAt < 5000)
      await delay(1000)
    }
    await Promise.all([newUpload, inTransfer])
  } finally {
    host.machine.thaw()
  }
  assert.equal((await job.waitForEnd(60_000)).body.error?.code, 'HOST.1003')
  await until('the removal of its files', async () => (await listing(host)) === '', 5000)
})
