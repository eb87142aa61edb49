import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  assertFailure,
  type InstallableOptions,
  installable,
  PackageFixture,
  type PackageRecord,
  recordIn,
  reverseCleanup,
  testOnce,
} from '@wharf/testkit'

const cleanup = reverseCleanup({ after })
let fixture: PackageFixture
before(async () => {
  fixture = await PackageFixture.start(cleanup, { jobLimits: { undoRetryMs: [1] } })
})

let count = 0

/** One piece of software on this machine, whose hooks record what they do. */
class Software {
  readonly name = `demo-${count++}`
  readonly folder = join(fixture.folder, this.name)

  #bytes(version: string, { hooks, ...more }: InstallableOptions = {}): string {
    const note = (hook: string): string =>
      `mkdir -p ${this.folder}; printf '${hook} ${version} %s\\n' "$(cat)" >>${this.folder}/record`
    const verify = `test ! -e ${this.folder}/fail-verify-${version}`
    const install = `${note('install')}; test ! -e ${this.folder}/fail-install-${version}`
    const all = { install, uninstall: note('uninstall'), verify, ...hooks }
    return fixture.source.serve(
      `${this.name}-${version}.tar`,
      installable({ name: this.name, version, hooks: all, ...more }),
    )
  }

  async install(version: string, config?: unknown, more: InstallableOptions = {}): Promise<PackageRecord> {
    const installPath = join(this.folder, 'packages', `${version}.tar`)
    const uploaded = await fixture.upload({
      name: `${this.name}-${version}`,
      url: this.#bytes(version, more),
      installPath,
    })
    assert.equal(uploaded.status, 200, uploaded.text)
    const { uuid } = recordIn(uploaded)
    const installed = await fixture.install(uuid, config)
    assert.equal(installed.status, 200, installed.text)
    return fixture.get(uuid)
  }

  publish(version: string, more: InstallableOptions = {}) {
    return fixture.publish(this.#bytes(version, more))
  }

  get record(): string[] {
    const file = join(this.folder, 'record')
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }

  set failing(what: string) {
    writeFileSync(join(this.folder, `fail-${what}`), '')
  }

  repair(what: string): void {
    rmSync(join(this.folder, `fail-${what}`))
  }
}

const upgrade = (uuid: string, fields: object): Promise<Answer> => fixture.act(uuid, 'upgradeSoftwarePackage', fields)
const rollBack = (uuid: string): Promise<Answer> => fixture.act(uuid, 'rollBackSoftwarePackage')
const verify = (uuid: string): Promise<Answer> => fixture.act(uuid, 'verifySoftwarePackage')
const stateOf = async (uuid: string): Promise<string> => {
  const { status, health, version } = await fixture.get(uuid)
  return `${version} ${status} ${health}`
}
const configOf = async (uuid: string): Promise<unknown> =>
  (await fixture.admin.get(`/v1/software-package/${uuid}/config`)).body.config

const countEvents = async ({ server }: PackageFixture, uuid: string): Promise<number> => {
  const { read } = server.app.foundation.database
  return (await read.selectFrom('events').select('uuid').where('uuid', '=', uuid).execute()).length
}

const secretSchema = {
  type: 'object',
  properties: { port: { type: 'integer' }, account: { properties: { token: { type: 'string', writeOnly: true } } } },
}
const secretConfig = { port: 1, account: { name: 'a', token: 'top-secret-value' } }

test('an upgrade and a rollback keep configurations, and the previous version until two newer ones exist', async () => {
  const software = new Software()
  const first = await software.install('1.0.0', secretConfig, { config: secretSchema })
  assert.deepEqual([first.health, first.version], ['Healthy', '1.0.0'])
  const second = await upgrade(first.uuid, {
    releaseUuid: (await software.publish('2.0.0', { config: secretSchema })).uuid,
  })
  assert.equal(second.status, 200, second.text)
  const { uuid, installPath, name, releaseUuid } = recordIn(second)
  assert.match(installPath, new RegExp(`^${software.folder}/packages/${software.name}-2\\.0\\.0-[0-9a-f]{8}\\.tar$`))
  assert.equal(name, `${software.name}-2.0.0`)
  assert.notEqual(releaseUuid, null)
  const given = `{"config":${JSON.stringify(secretConfig)}}`
  assert.deepEqual(software.record, [`install 1.0.0 ${given}`, 'uninstall 1.0.0 {}', `install 2.0.0 ${given}`])
  assert.deepEqual(await Promise.all([first.uuid, uuid].map(stateOf)), [
    '1.0.0 Uploaded null',
    '2.0.0 Installed Healthy',
  ])
  assert.deepEqual(await configOf(uuid), { port: 1, account: { name: 'a' } })

  assert.equal(recordIn(await rollBack(uuid)).uuid, first.uuid)
  assert.deepEqual(software.record.slice(3), ['uninstall 2.0.0 {}', `install 1.0.0 ${given}`])
  assert.deepEqual(await Promise.all([first.uuid, uuid].map(stateOf)), [
    '1.0.0 Installed Healthy',
    '2.0.0 Uploaded null',
  ])
  assertFailure(await rollBack(first.uuid), { status: 409, code: 'SYS.1006' })
  const { body: related } = await fixture.admin.get(`/v1/api-jobs?q=relatedUuid=${uuid}`)
  const installing = (related.inventories as { operation: string }[]).map(({ operation }) => operation)
  assert.deepEqual(installing, ['UpgradeSoftwarePackage'], 'the page of the new version shows its upgrade')

  // version 2 is still on the host: nothing is sent
  const sent = fixture.source.requestedPaths.length
  const again = await upgrade(first.uuid, { releaseUuid: `${software.name}@2.0.0`, config: { port: 2 } })
  assert.deepEqual([recordIn(again).uuid, fixture.source.requestedPaths.length], [uuid, sent], again.text)
  const third = await upgrade(uuid, { releaseUuid: (await software.publish('3.0.0')).uuid, config: '{"port":3}' })
  assert.equal(third.status, 200, third.text)
  assert.equal((await fixture.admin.get(`/v1/software-package/${first.uuid}`)).status, 404)
  assert.ok(!existsSync(first.installPath) && !existsSync(first.unzipInstallPath ?? ''))
  assert.equal(await stateOf(uuid), '2.0.0 Uploaded null')
  assert.equal(recordIn(await rollBack(recordIn(third).uuid)).uuid, uuid)
  assert.deepEqual(await configOf(uuid), { port: 2 })
})

testOnce('a package from backup storage is upgraded and rolled back, and leaves the host later', async () => {
  const software = new Software()
  const stored = await software.publish('1.0.0')
  const packageUuid = stored.softwarePackageUuid
  const { hostUuid } = fixture.server.bootstrap
  assert.equal((await fixture.install(packageUuid, { hostUuid })).status, 200)
  const second = recordIn(await upgrade(packageUuid, { releaseUuid: (await software.publish('2.0.0')).uuid }))
  assert.equal((await fixture.get(packageUuid)).hostUuid, hostUuid)
  assert.equal(recordIn(await rollBack(second.uuid)).uuid, packageUuid)
  const again = recordIn(await upgrade(packageUuid, { releaseUuid: second.releaseUuid ?? '' }))
  assert.equal((await upgrade(again.uuid, { releaseUuid: (await software.publish('3.0.0')).uuid })).status, 200)
  const { hostUuid: left, unzipInstallPath, status } = await fixture.get(packageUuid)
  assert.deepEqual([left, unzipInstallPath, status], [null, null, 'Uploaded'])
})

testOnce('an upgrade hook gets both configurations and runs instead of uninstall and install', async () => {
  const software = new Software()
  const first = await software.install('1.0.0', { a: 1 })
  const hooks = { upgrade: `cat >>${software.folder}/record` }
  const { uuid: releaseUuid } = await software.publish('2.0.0', { hooks })
  assert.equal((await upgrade(first.uuid, { releaseUuid, config: { a: 2 } })).status, 200)
  const from = { version: '1.0.0', packageDir: first.unzipInstallPath, config: { a: 1 } }
  assert.deepEqual(software.record.slice(1), [JSON.stringify({ config: { a: 2 }, from })])
})

testOnce('a failed upgrade restores the earlier version; what cannot be restored is reported', async () => {
  const software = new Software()
  const { uuid } = await software.install('1.0.0', { a: 1 })
  const { uuid: releaseUuid } = await software.publish('2.0.0')
  software.failing = 'verify-2.0.0'
  const failed = await upgrade(uuid, { releaseUuid, config: { a: 2 } })
  assertFailure(failed, { status: 502, code: 'SoftwarePackage.1300' })
  assert.match(
    failed.body.error?.details ?? '',
    /\nThe earlier version was restored: demo-\d+ 1\.0\.0 on host this-node is installed again\./,
  )
  const restored = [
    'uninstall 1.0.0 {}',
    'install 2.0.0 {"config":{"a":2}}',
    'uninstall 2.0.0 {}',
    'install 1.0.0 {"config":{"a":1}}',
  ]
  assert.deepEqual(software.record.slice(1), restored)
  assert.equal(await stateOf(uuid), '1.0.0 Installed Healthy')

  software.failing = 'verify-1.0.0'
  const unverified = await upgrade(uuid, { releaseUuid })
  assertFailure(unverified, { status: 502, code: 'SoftwarePackage.1310' })
  assert.match(unverified.body.error?.details ?? '', /^RollbackFailed: the earlier version could not be restored/)
  assert.equal(await stateOf(uuid), '1.0.0 Installed Unhealthy')
  software.failing = 'install-1.0.0'
  assertFailure(await upgrade(uuid, { releaseUuid }), { status: 502, code: 'SoftwarePackage.1310' })
  assert.equal(await stateOf(uuid), '1.0.0 InstallFailed Unhealthy')
  const { body } = await fixture.admin.get(`/v1/software-package?q=version=2.0.0&q=name~=${software.name}%25`)
  assert.deepEqual(
    (body.inventories as PackageRecord[]).filter(({ hostUuid }) => hostUuid !== null),
    [],
  )
})

test('an upgrade that is cancelled or takes too long restores the earlier version; meanwhile no other job uses either', async () => {
  // on a busy machine the installer may not start within two seconds
  for (const timeout of [undefined, '2', '30']) {
    const isLate = timeout !== undefined
    const software = new Software()
    const { uuid } = await software.install('1.0.0', { a: 1 })
    const started = join(software.folder, 'started')
    const { uuid: releaseUuid } = await software.publish('2.0.0', { hooks: { install: `touch ${started}; sleep 60` } })
    const headers = isLate ? { 'x-api-timeout': timeout } : {}
    const upgrading = fixture.act(uuid, 'upgradeSoftwarePackage', { releaseUuid }, headers)
    for (let tries = 0; !existsSync(started) && tries < 1000; tries++) await delay(10)
    if (!isLate) {
      const { body } = await fixture.admin.get(`/v1/software-package?q=releaseUuid=${releaseUuid}&q=status=Installing`)
      const [next] = body.inventories as PackageRecord[]
      assertFailure(await fixture.remove(next?.uuid ?? ''), { status: 409, code: 'SYS.1004' })
      assertFailure(await upgrade(uuid, { releaseUuid }), { status: 409, code: 'SYS.1002' })
      assertFailure(await fixture.uninstall(uuid), { status: 409, code: 'SYS.1005' })
      const jobs = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&q=state=Running`)
      await fixture.admin.delete(`/v1/api-jobs/${(jobs.body.inventories as { uuid: string }[])[0]?.uuid}`)
    }
    const failure = isLate ? { status: 504, code: 'SYS.1001' } : { status: 409, code: 'SYS.1017' }
    assertFailure(await upgrading, failure as never)
    if (timeout === '2' && !existsSync(started)) continue
    const restored = ['uninstall 1.0.0 {}', 'uninstall 2.0.0 {}', 'install 1.0.0 {"config":{"a":1}}']
    assert.deepEqual(software.record.slice(1), restored)
    assert.equal(await stateOf(uuid), '1.0.0 Installed Healthy')
    const { body } = await fixture.admin.get(`/v1/software-package?q=releaseUuid=${releaseUuid}&q=hostUuid is not null`)
    assert.deepEqual(body.inventories, [])
    if (isLate) break
  }
})

testOnce('what cannot be upgraded is refused, and nothing changes', async () => {
  const software = new Software()
  const other = new Software()
  const { uuid } = await software.install('1.0.0')
  const schema = { type: 'object', properties: { port: { type: 'integer' } }, required: ['port'] }
  const { uuid: releaseUuid } = await software.publish('2.0.0', { config: schema })
  const { uuid: otherRelease } = await other.publish('1.0.0')
  const events = await fixture.get(uuid)
  const refused = async (at: string, fields: object, want: { status: number; code: string }, details: RegExp) => {
    const answer = await upgrade(at, fields)
    assertFailure(answer, want as never)
    assert.match(answer.body.error?.details ?? '', details)
  }
  const invalid = { status: 400, code: 'SYS.1007' }
  await refused(uuid, { releaseUuid: otherRelease }, invalid, /the release is of demo-\d+/)
  await refused(uuid, { releaseUuid }, invalid, /does not fit demo-\d+ 2\.0\.0 \(.*port/)
  await refused(uuid, { releaseUuid, config: { port: 'x' } }, invalid, /upgradeSoftwarePackage\.config: .*port/)
  await refused(uuid, { releaseUuid, config: [] }, invalid, /config/)
  await refused(uuid, {}, invalid, /releaseUuid is required/)
  await refused(uuid, { releaseUuid: 'nonsense' }, invalid, /upgradeSoftwarePackage\.releaseUuid must be the uuid/)
  await refused(uuid, { releaseUuid: `${software.name}@9` }, { status: 404, code: 'SYS.1003' }, /there is no release/)
  const retired = { retireRelease: {} }
  assert.equal((await fixture.admin.put(`/v1/releases/${releaseUuid}/actions`, retired)).status, 200)
  await refused(uuid, { releaseUuid, config: { port: 1 } }, { status: 409, code: 'SYS.1006' }, /is Retired/)
  await refused(uuid, { releaseUuid: 'f'.repeat(32) }, { status: 404, code: 'SYS.1003' }, /f{32}/)
  await refused('e'.repeat(32), { releaseUuid }, { status: 404, code: 'SYS.1003' }, /e{32}/)
  assertFailure(await rollBack(uuid), { status: 409, code: 'SYS.1006' })
  assert.deepEqual(await fixture.get(uuid), events)
  assert.equal(software.record.length, 1)
})

testOnce('a verification stores the health; only a change of it is an event', async () => {
  const software = new Software()
  const { uuid, lastVerifiedDate } = await software.install('1.0.0')
  assert.notEqual(lastVerifiedDate, null)
  const before = await countEvents(fixture, uuid)
  const params = { name: 'ops', type: 'Slack', url: 'http://127.0.0.1:1/x', ownEvents: ['PackageUnhealthy'] }
  assert.equal((await fixture.admin.post('/v1/sns/application-endpoints/chatapp', { params })).status, 200)
  assert.equal(recordIn(await verify(uuid)).health, 'Healthy')
  assert.equal(await countEvents(fixture, uuid), before)
  software.failing = 'verify-1.0.0'
  const failed = await verify(uuid)
  assertFailure(failed, { status: 502, code: 'SoftwarePackage.1300' })
  assert.equal(await stateOf(uuid), '1.0.0 Installed Unhealthy')
  assert.match((await fixture.get(uuid)).healthError ?? '', /^SoftwarePackage\.1300 the package's verify ended with/)
  assert.equal(await countEvents(fixture, uuid), before + 1)
  const messages = (await fixture.admin.get('/v1/sns/deliveries')).body.inventories as Record<string, unknown>[]
  assert.deepEqual(
    messages.map(({ ownEvent, resourceUuid }) => [ownEvent, resourceUuid]),
    [['PackageUnhealthy', uuid]],
  )
  software.repair('verify-1.0.0')
  assert.partialDeepStrictEqual(recordIn(await verify(uuid)), { health: 'Healthy', healthError: null })
  assert.equal(recordIn(await fixture.uninstall(uuid)).health, null)
  assertFailure(await verify(uuid), { status: 409, code: 'SYS.1005' })
  assert.equal(await configOf(uuid), null)

  const url = fixture.source.serve('plain.tar', installable({ name: 'plain' }))
  const plain = recordIn(await fixture.upload({ url, installPath: join(fixture.folder, 'plain.tar') })).uuid
  assert.equal((await fixture.install(plain)).status, 200)
  assert.equal((await fixture.get(plain)).health, 'Unknown')
  assert.equal(recordIn(await verify(plain)).health, 'Unknown')
})

testOnce('installed packages are verified in every interval', async (t) => {
  const own = await PackageFixture.start(t, { environment: { WHARF_VERIFY_INTERVAL: '1' } })
  const verify = `echo verified >>${own.folder}/log; test ! -e ${own.folder}/fail || { cat; exit 1; }`
  const config = { type: 'object', properties: { token: { type: 'string', writeOnly: true } } }
  const hooks = { install: 'cat >/dev/null', verify }
  const url = own.source.serve('verified.tar', installable({ hooks, config }))
  const { uuid } = recordIn(await own.upload({ url, installPath: join(own.folder, 'packages/demo.tar') }))
  assert.equal((await own.install(uuid, { token: 'a-secret-token' })).status, 200)
  const installed = await countEvents(own, uuid)
  const until = (health: string) => own.waitUntil(uuid, (record) => record.health === health, 10_000)
  writeFileSync(join(own.folder, 'fail'), '')
  await until('Unhealthy')
  const { healthError } = await own.get(uuid)
  assert.match(healthError ?? '', /^SoftwarePackage\.1300 .* exit code 1: \{"config":\{"token":"\[secret\]"\}\}$/)
  rmSync(join(own.folder, 'fail'))
  await until('Healthy')
  assert.equal(await countEvents(own, uuid), installed + 2)
  const verifications = (): number => readFileSync(join(own.folder, 'log'), 'utf8').trim().split('\n').length
  const before = verifications()
  await delay(2500)
  assert.ok(verifications() - before >= 1 && verifications() - before <= 3, `${verifications() - before}`)
  const jobs = (await own.admin.get(`/v1/api-jobs?q=operation=VerifySoftwarePackage`)).body.inventories as unknown[]
  assert.deepEqual(jobs, [])
})
