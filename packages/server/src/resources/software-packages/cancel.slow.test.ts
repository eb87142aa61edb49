import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  assertFailure,
  hostsNeedRoot,
  installable,
  PackageFixture,
  ProgramBreakpoints,
  recordIn,
  reverseCleanup,
  runProgram,
  StallingBytes,
  type TestHost,
  TrialJob,
  uploadKillPoints,
} from '@wharf/testkit'

let fixture: PackageFixture
let host: { machine: TestHost; uuid: string }
let folder: string
const cleanup = reverseCleanup({ after })
before(async () => {
  fixture = await PackageFixture.start(cleanup)
  ;[host] = (await fixture.addHosts(cleanup)) as [typeof host]
  folder = `${fixture.folder}/on-host`
  await host.machine.exec(`mkdir -p ${folder}`)
})

const machines = ['this node', 'a host'] as const
type Machine = (typeof machines)[number]
const exec = (machine: Machine, text: string): Promise<string> =>
  machine === 'a host' ? host.machine.exec(text) : runProgram('sh', ['-c', text])
const hostUuid = (machine: Machine): string => (machine === 'a host' ? host.uuid : fixture.server.bootstrap.hostUuid)

const async = { prefer: 'respond-async' }
let count = 0

async function until(what: string, condition: () => Promise<boolean>, withinMs: number): Promise<void> {
  for (const startedAt = performance.now(); !(await condition()); await delay(50))
    assert.ok(performance.now() - startedAt < withinMs, `${what} takes too long`)
}

/** A tree of processes that sleep: in the background, in the background of that, and in the foreground. */
const tree = (seconds: string): string =>
  `cat >/dev/null; sleep ${seconds} & (sleep ${seconds} & sleep ${seconds}) & echo up; touch up; sleep ${seconds}`

const running = async (machine: Machine, seconds: string): Promise<number> =>
  (await exec(machine, 'ps -e -o stat= -o args=')).split('\n').filter((line) => line.endsWith(` sleep ${seconds}`))
    .length

async function uploaded(machine: Machine, bytes: Buffer) {
  const number = count++
  const at = `${folder}/${number}`
  await exec(machine, `mkdir -p ${at}`)
  const url = fixture.source.serve(`${number}.tar`, bytes)
  const answer = await fixture.upload({ url, hostUuid: hostUuid(machine), installPath: `${at}/demo.tar` })
  assert.equal(answer.status, 200, answer.text)
  return recordIn(answer)
}

for (const machine of machines)
  suite(`on ${machine}`, () => {
    for (const form of ['demo.tar', 'demo.zip'])
      test(`an upload that is cancelled in the middle (${form}) leaves nothing`, async () => {
        const number = count++
        await exec(machine, `mkdir -p ${folder}/${number}`)
        const installPath = `${folder}/${number}/new/${form}`
        const bytes = form.endsWith('zip')
          ? Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(90_000)])
          : installable()
        const source = new StallingBytes(bytes, bytes.length >> 1)
        const url = fixture.source.serve(`${number}/${form}`, source.serve)
        const started = await fixture.upload({ url, hostUuid: hostUuid(machine), installPath }, async)
        const job = new TrialJob(fixture.admin, String(started.body.location))
        await until(
          'the request for the source',
          async () => fixture.source.requestedPaths.includes(`/${number}/${form}`),
          5000,
        )
        await delay(200)
        const { subjectUuid } = await job.row()
        await job.cancel()
        const answer = await job.waitForEnd()
        assertFailure(answer, { status: 503, code: 'SYS.1017' })
        assert.equal((await fixture.get(String(subjectUuid))).status, 'UploadFailed')
        assert.equal(await exec(machine, `ls -A ${folder}/${number}`), '')
      })

    test('a cancelled install ends every process it started', async () => {
      const seconds = `3${count}.${machines.indexOf(machine)}1`
      const { uuid, unzipInstallPath } = await uploaded(machine, installable({ hooks: { install: tree(seconds) } }))
      const installing = fixture.install(uuid)
      await until('the hook', async () => (await running(machine, seconds)) === 4, 5000)
      const { body } = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&q=state=Running`)
      const [row] = body.inventories as { uuid: string }[]
      await fixture.admin.delete(`/v1/api-jobs/${row?.uuid}`)
      await until('the end of the tree', async () => (await running(machine, seconds)) === 0, 5000)
      assertFailure(await installing, { status: 409, code: 'SYS.1017' })
      assert.equal((await fixture.get(uuid)).status, 'InstallFailed')
      // it can be retried or uninstalled
      assert.equal(recordIn(await fixture.uninstall(uuid)).status, 'Uploaded')
      assert.match(await exec(machine, `ls ${unzipInstallPath}`), /^up$/m)
    })

    const limits = [
      {
        name: 'the timeout in wharf.json',
        timeout: '1s',
        headers: {},
        details: /^the package's install did not end within 1s/,
      },
      {
        name: 'X-API-Timeout',
        timeout: '1h',
        headers: { 'x-api-timeout': '1' },
        details: /did not end within 1 s/,
      },
    ]
    for (const { name, timeout, headers, details } of limits)
      test(`an install that takes longer than its limit ends every process it started: ${name}`, async () => {
        const seconds = `4${count}.${machines.indexOf(machine)}1`
        const bytes = installable({ hooks: { install: tree(seconds) }, timeout })
        const { uuid } = await uploaded(machine, bytes)
        const answer = await fixture.install(uuid, undefined, headers)
        assertFailure(answer, { status: 504, code: 'SYS.1001' })
        assert.match(String(answer.body.error?.details), details)
        await until('the end of the tree', async () => (await running(machine, seconds)) === 0, 5000)
        assert.equal((await fixture.get(uuid)).status, 'InstallFailed')
      })
  })

test('a transfer that takes longer than X-API-Timeout ends like a cancelled one', async () => {
  const installPath = `${folder}/late/demo.tar`
  const url = fixture.source.serve('late.tar', new StallingBytes(installable(), 1000).serve)
  const answer = await fixture.upload({ url, hostUuid: host.uuid, installPath }, { 'x-api-timeout': '1' })
  assertFailure(answer, { status: 504, code: 'SYS.1001' })
  assert.equal(await host.machine.exec(`ls -A ${folder} | grep late || true`), '')
})

test('an upload that is cancelled when its files are in place leaves nothing', { skip: hostsNeedRoot }, async () => {
  const breakpoints = await ProgramBreakpoints.onHost(host.machine)
  const at = `${folder}/last`
  const installPath = `${at}/demo.tar`
  await host.machine.exec(`mkdir -p ${at}`)
  const { when, patterns } = uploadKillPoints['place: after the folder is moved']
  breakpoints.add(when, patterns(installPath))
  const url = fixture.source.serve('last.tar', installable())
  const started = await fixture.upload({ url, hostUuid: host.uuid, installPath }, async)
  const job = new TrialJob(fixture.admin, String(started.body.location))
  await breakpoints.waitUntilReached()
  await job.cancel()
  assertFailure(await job.waitForEnd(), { status: 503, code: 'SYS.1017' })
  breakpoints.release()
  assert.equal(await host.machine.exec(`ls -A ${at}`), '')
})
