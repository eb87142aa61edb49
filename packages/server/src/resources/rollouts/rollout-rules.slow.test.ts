import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AlertPlatformFixture, assertFailure, type Client, type PackageFixture, reverseCleanup } from '@wharf/testkit'
import { Fleet } from './testing/fleet.ts'

const cleanup = reverseCleanup({ after })
let fixture: PackageFixture
let operator: Client
before(async () => {
  fixture = await Fleet.start(cleanup)
  operator = await fixture.server.signIn('operator')
})

const actBy = (client: Client, uuid: string, action: string, fields: object = {}) =>
  client.put(`/v1/rollouts/${uuid}/actions`, { [`${action}Rollout`]: fields })

async function untilStates(fleet: Fleet, uuid: string, expected: RegExp): Promise<void> {
  for (let tries = 0; tries < 1000; tries++, await delay(20)) if (expected.test(await fleet.states(uuid))) return
  throw new Error(`not ${expected}: ${await fleet.states(uuid)}`)
}

test('a rollout starts at its time; before, it can be stopped, and until it has ended it cannot be deleted', async () => {
  const fleet = await Fleet.create(fixture, 1)
  await fleet.publish('1.0.0')
  const stopped = await fleet.create('1.0.0', { startAt: new Date(Date.now() + 3_600_000).toISOString() })
  assert.equal((await fleet.get(stopped)).state, 'Scheduled')
  assertFailure(await fleet.admin.delete(`/v1/rollouts/${stopped}`), { status: 409, code: 'SYS.1005' })
  assert.equal((await fleet.act(stopped, 'stop')).status, 200)
  await fleet.until(stopped, 'Stopped')
  assert.equal(await fleet.states(stopped), 'web-1 Skipped')
  assert.equal((await fleet.admin.delete(`/v1/rollouts/${stopped}`)).status, 200)
  assertFailure(await fleet.admin.get(`/v1/rollouts/${stopped}/targets`), { status: 404, code: 'SYS.1003' })
  const startAt = Date.now() + 1500
  const uuid = await fleet.create('1.0.0', { startAt: new Date(startAt).toISOString() })
  await fleet.until(uuid, 'Succeeded')
  assert.deepEqual(fleet.record('web-1'), ['install 1.0.0'])
  assert.ok(Number((fleet.lines('web-1')[0]?.atNs ?? 0n) / 1_000_000n) >= startAt)
})

test('another user than the creator approves or denies', async () => {
  const fleet = await Fleet.create(fixture, 1)
  await fleet.publish('1.0.0')
  const denied = await fleet.create('1.0.0', { requiresApproval: true })
  const reader = await fixture.server.signIn('reader')
  assertFailure(await actBy(reader, denied, 'approve'), { status: 403, code: 'ID.1002' })
  const own = { status: 403, code: 'ID.1002', details: /must be approved by another user than its creator/ } as const
  assertFailure(await fleet.act(denied, 'approve'), own)
  assert.equal((await actBy(operator, denied, 'deny')).status, 200)
  assert.equal((await fleet.get(denied)).state, 'Denied')
  assertFailure(await actBy(operator, denied, 'approve'), { status: 409, code: 'SYS.1005' })
  const uuid = await fleet.create('1.0.0', { requiresApproval: true })
  await delay(150)
  assert.equal((await fleet.get(uuid)).state, 'AwaitingApproval')
  assert.deepEqual(fleet.record('web-1'), [])
  const approved = await actBy(operator, uuid, 'approve')
  assert.equal(approved.status, 200, approved.text)
  const { approvedBy, userUuid } = await fleet.until(uuid, 'Succeeded')
  assert.ok(approvedBy !== null && approvedBy !== userUuid)
})

test('only an admin ignores a maintenance window', async () => {
  const fleet = await Fleet.create(fixture, 1)
  await fleet.publish('1.0.0')
  const cron = `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`
  const params = { name: 'half a year away', cron, durationMinutes: 60 }
  const { body } = await fleet.admin.post('/v1/maintenance-windows', { params })
  const { uuid: windowUuid } = body.inventory as { uuid: string }
  const refused = { status: 403, code: 'ID.1002', details: /ignoreWindow requires the role admin/ } as const
  const fields = { name: 'x', releaseUuid: fleet.releases.get('1.0.0'), selector: fleet.selector, windowUuid }
  assertFailure(await operator.post('/v1/rollouts', { params: { ...fields, ignoreWindow: true } }), refused)
  const uuid = await fleet.create('1.0.0', { windowUuid })
  await fleet.until(uuid, 'Paused Window')
  assertFailure(await actBy(operator, uuid, 'resume', { ignoreWindow: true }), refused)
  assert.equal((await fleet.get(uuid)).state, 'Paused')
  assert.equal((await fleet.act(uuid, 'resume', { ignoreWindow: true })).status, 200)
  await fleet.until(uuid, 'Succeeded')
})

test('stop lets running hosts finish and skips the others', async () => {
  const fleet = await Fleet.create(fixture, 2)
  await fleet.publish('1.0.0')
  fleet.set('web-1', 'hold', 'install-1.0.0')
  const uuid = await fleet.create('1.0.0', { waves: ['100%'], maxParallel: 1 })
  await untilStates(fleet, uuid, /web-1 Installing/)
  assert.equal((await fleet.act(uuid, 'stop', { running: 'finish' })).status, 200)
  await untilStates(fleet, uuid, /web-2 Skipped/)
  assertFailure(await fleet.act(uuid, 'resume'), { status: 409, code: 'SYS.1005' })
  fleet.clear('web-1', 'hold', 'install-1.0.0')
  await fleet.until(uuid, 'Stopped')
  assert.equal(await fleet.states(uuid), 'web-1 Succeeded, web-2 Skipped')
  assert.deepEqual(fleet.versions(), ['1.0.0', undefined])
})

test('waves are spread over the values of a label', async () => {
  const fleet = await Fleet.create(fixture, 4, (number) => ({ zone: number <= 2 ? 'a' : 'b' }))
  await fleet.publish('1.0.0')
  const firstWave = async (fields: object): Promise<string[]> => {
    const { body } = await fleet.post('1.0.0', { waves: ['2', '100%'], dryRun: true, ...fields })
    const plan = body.plan as { hostName: string; wave: number }[]
    return plan.filter(({ wave }) => wave === 1).map(({ hostName }) => hostName.slice(-5))
  }
  assert.deepEqual(await firstWave({}), ['web-1', 'web-2'])
  assert.deepEqual(await firstWave({ spreadBy: 'zone' }), ['web-1', 'web-3'])
  const refused = await fleet.post('1.0.0', { spreadBy: 'UPPER CASE', dryRun: true })
  assertFailure(refused, { status: 400, code: 'SYS.1007', details: /spreadBy/ })
})

test('an alert that starts to fire during a wave fails its gate, an earlier one does not; the wave alone is rolled back', async () => {
  const fleet = await Fleet.create(fixture, 3)
  await fleet.publish('1.0.0')
  const platform = await AlertPlatformFixture.create(fixture.server)
  const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  await platform.send({ name: 'earlier', startsAt: minutesAgo(2) })
  fleet.set('web-2', 'hold', 'install-1.0.0')
  const fields = { waves: ['1', '2', '100%'], alertPlatformUuids: [platform.uuid] }
  const uuid = await fleet.create('1.0.0', fields)
  await untilStates(fleet, uuid, /web-1 Succeeded, web-2 Installing/)
  // it fires since before the wave, and is sent again
  await platform.send({ name: 'known', startsAt: minutesAgo(1) })
  await delay(150)
  assert.equal((await fleet.get(uuid)).state, 'Running')
  await platform.send({ name: 'disk full', startsAt: minutesAgo(0) })
  const { reason } = await fleet.until(uuid, 'Paused Gate')
  assert.equal(reason, 'alert disk full started to fire after the wave had started')
  fleet.clear('web-2', 'hold', 'install-1.0.0')
  await untilStates(fleet, uuid, /web-2 Succeeded/)
  assert.equal(await fleet.waves(uuid), '1 Succeeded, 1 Failed, 1 Pending')
  assert.equal((await fleet.act(uuid, 'rollBack', { scope: 'wave' })).status, 200)
  await fleet.until(uuid, 'RolledBack')
  assert.deepEqual(fleet.versions(), ['1.0.0', undefined, undefined])
  const nothing = { status: 409, code: 'SYS.1005', details: /wave 2 of rollout .* has nothing to restore/ } as const
  assertFailure(await fleet.act(uuid, 'rollBack', { scope: 'wave' }), nothing)
  assert.equal((await fleet.get(uuid)).state, 'RolledBack')
  assert.equal(await fleet.waves(uuid), '1 Succeeded, 1 RolledBack, 1 Skipped')
})

test('an earlier version that is no longer on a host is sent again from its release; without one the host keeps what it has', async () => {
  const fleet = await Fleet.create(fixture, 3)
  const release = await fleet.publish('1.0.0')
  const first = await fleet.create('1.0.0', { config: { at: '{{ host.name }}' } })
  await fleet.until(first, 'Succeeded')
  const installed = () => [...fleet.hosts.keys()].map((name) => fleet.installed(name))
  const before = installed()
  await fleet.publish('2.0.0')
  const uuid = await fleet.create('2.0.0')
  await fleet.until(uuid, 'Succeeded')
  const [removedFiles, deleted] = (await fleet.targets(uuid)).map(({ previousPackageUuid }) =>
    String(previousPackageUuid),
  )
  rmSync((await fixture.get(removedFiles ?? '')).unzipInstallPath ?? '', { recursive: true })
  assert.equal((await fixture.remove(deleted ?? '')).status, 200)
  assert.equal((await fleet.admin.delete(`/v1/rollouts/${first}`)).status, 200)
  const { body } = await fleet.admin.get(`/v1/releases/${release}`)
  const [{ softwarePackageUuid }] = body.inventories as [{ softwarePackageUuid: string }]
  assert.equal((await fleet.admin.delete(`/v1/releases/${release}`)).status, 200)

  assert.equal((await fleet.act(uuid, 'rollBack')).status, 200)
  await fleet.until(uuid, 'RollbackFailed')
  assert.equal(await fleet.states(uuid), 'web-1 RollbackFailed, web-2 RollbackFailed, web-3 RolledBack')
  const gone = new RegExp(
    `^SYS.1006 host ${fleet.software}-web-[12] no longer has ${fleet.software} 1.0.0, and no release has its bytes; publish them again, then roll back again`,
  )
  for (const { error } of (await fleet.targets(uuid)).slice(0, 2)) assert.match(String(error), gone)
  assert.deepEqual(fleet.versions(), ['2.0.0', '2.0.0', '1.0.0'])

  const published = await fleet.admin.post('/v1/releases', { params: { softwarePackageUuid } })
  assert.equal(published.status, 200, published.text)
  assert.equal((await fleet.act(uuid, 'rollBack')).status, 200)
  await fleet.until(uuid, 'RolledBack')
  assert.deepEqual(installed(), before)
  for (const { previousPackageUuid } of await fleet.targets(uuid)) {
    const { status, version, health } = await fixture.get(String(previousPackageUuid))
    assert.deepEqual([status, version, health], ['Installed', '1.0.0', 'Healthy'])
  }
})
