import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { AuditRecord } from '@wharf/contract'
import { assertFailure, ChatReceiver, type PackageFixture, type PackageRecord, reverseCleanup } from '@wharf/testkit'
import { Fleet } from './testing/fleet.ts'

const cleanup = reverseCleanup({ after })
let fixture: PackageFixture
before(async () => {
  fixture = await Fleet.start(cleanup)
})

test('a failure pauses before the next wave, and retry tries the failed host only', async () => {
  const fleet = await Fleet.create(fixture, 4)
  await fleet.publish('1.0.0')
  fleet.set('web-2', 'fail', 'install-1.0.0')
  const uuid = await fleet.create('1.0.0', { waves: [1, '50%', '100%'], maxParallel: 1 })
  await fleet.until(uuid, 'Paused Failures')
  assert.equal(await fleet.states(uuid), 'web-1 Succeeded, web-2 Failed, web-3 Pending, web-4 Pending')
  assert.deepEqual(fleet.record('web-3'), [])
  assert.equal(fleet.installed('web-2'), undefined)
  fleet.clear('web-2', 'fail', 'install-1.0.0')
  assert.equal((await fleet.act(uuid, 'retry')).status, 200)
  await fleet.until(uuid, 'Succeeded')
  assert.deepEqual(fleet.record('web-1'), ['install 1.0.0'])
  assert.deepEqual(fleet.versions(), ['1.0.0', '1.0.0', '1.0.0', '1.0.0'])
})

test('with rollBackAll a failure restores every host that was changed, and only those', async () => {
  const fleet = await Fleet.create(fixture, 4)
  const release = await fleet.publish('1.0.0')
  const earlier = [fleet.hosts.get('web-1'), fleet.hosts.get('web-2')]
  const config = { at: '{{ host.name }}' }
  await fleet.until(await fleet.create('1.0.0', { hostUuids: earlier, config }), 'Succeeded')
  /** By the files of the hosts: what is installed with which configuration, and the SHA-256 of its archive. */
  const found = async (): Promise<string[]> => {
    const { body } = await fleet.admin.get(
      `/v1/software-package?q=hostUuid?=${earlier}&q=status=Installed&sort=hostUuid`,
    )
    const digests = (body.inventories as PackageRecord[]).map(({ installPath }) =>
      hash('sha256', readFileSync(installPath)),
    )
    return [...fleet.hosts.keys()].map((name) => String(fleet.installed(name))).concat(digests)
  }
  await fixture.server.app.foundation.database.transaction((tx) =>
    tx
      .updateTable('softwarePackages')
      .set({ name: `renamed-${fleet.software}` })
      .where('hostUuid', 'in', earlier.map(String))
      .execute(),
  )
  const renamedAt = new Date().toISOString()
  const before = await found()
  const { body } = await fleet.admin.get(`/v1/releases/${release}`)
  const [{ sha256 }] = body.inventories as [{ sha256: string }]
  const ofHost = (number: number): string => `1.0.0 {"config":{"at":"${fleet.software}-web-${number}"}}`
  assert.deepEqual(before, [ofHost(1), ofHost(2), 'undefined', 'undefined', sha256, sha256])
  await fleet.publish('2.0.0')
  fleet.set('web-3', 'fail', 'install-2.0.0')
  const uuid = await fleet.create('2.0.0', { onFailure: 'rollBackAll', maxParallel: 1 })
  const { reason } = await fleet.until(uuid, 'RolledBack')
  assert.match(String(reason), /1 of 3 hosts of wave 3 failed/)
  assert.deepEqual(await found(), before)
  assert.equal(await fleet.states(uuid), 'web-1 RolledBack, web-2 RolledBack, web-3 Failed, web-4 Skipped')
  assert.deepEqual(fleet.record('web-4'), [])
  await assertNamedEntries(fleet, renamedAt)
})

/** The entries of the jobs: all of what a job changed, with one actor and the names of the records. */
async function assertNamedEntries(fleet: Fleet, from: string): Promise<void> {
  const { body: packages } = await fleet.admin.get('/v1/software-package?limit=1000')
  const names = new Map((packages.inventories as PackageRecord[]).map(({ uuid, name }) => [uuid, name]))
  const { body } = await fleet.admin.get(
    `/v1/audit-entries?q=operation=RollOutRelease&q=resourceType=SoftwarePackage&q=endDate>=${from}&limit=1000`,
  )
  const entries = (body.inventories as unknown as AuditRecord[]).filter(({ resourceUuid }) =>
    names.has(resourceUuid ?? ''),
  )
  assert.ok(entries.some(({ resourceName, status }) => resourceName?.startsWith('renamed-') && status === 202))
  for (const { resourceUuid, resourceName, jobUuid, actorKind, actorName } of entries)
    assert.deepEqual(
      [resourceName, actorKind, actorName, typeof jobUuid],
      [names.get(resourceUuid ?? ''), 'System', 'admin', 'string'],
    )
}

test('pause lets running hosts finish, stop with cancel undoes them', async () => {
  const fleet = await Fleet.create(fixture, 3)
  await fleet.publish('1.0.0')
  for (const name of fleet.hosts.keys()) fleet.set(name, 'hold', 'install-1.0.0')
  const uuid = await fleet.create('1.0.0', { waves: ['100%'], maxParallel: 1 })
  while (!/Installing/.test(await fleet.states(uuid))) await delay(20)
  const receiver = await ChatReceiver.start(cleanup)
  const params = { name: 'ops', type: 'Slack', url: receiver.webhookUrl('Slack', 'ops'), ownEvents: ['RolloutPaused'] }
  assert.equal((await fleet.admin.post('/v1/sns/application-endpoints/chatapp', { params })).status, 200)
  assert.equal((await fleet.act(uuid, 'pause')).status, 200)
  assert.equal((await fleet.get(uuid)).reason, 'admin paused it')
  const [message] = await receiver.waitForMessages('ops', 1)
  assert.match(message?.body ?? '', /is paused[\s\S]*admin paused it/)
  fleet.clear('web-1', 'hold', 'install-1.0.0')
  while (!/web-1 Succeeded/.test(await fleet.states(uuid))) await delay(20)
  await delay(200)
  assert.equal(await fleet.states(uuid), 'web-1 Succeeded, web-2 Pending, web-3 Pending')
  assert.equal((await fleet.act(uuid, 'resume')).status, 200)
  while (!/web-2 Installing/.test(await fleet.states(uuid))) await delay(20)
  assert.equal((await fleet.act(uuid, 'stop', { running: 'cancel' })).status, 200)
  await fleet.until(uuid, 'Stopped')
  assert.equal(await fleet.states(uuid), 'web-1 Succeeded, web-2 RolledBack, web-3 Skipped')
  assert.deepEqual(fleet.versions(), ['1.0.0', undefined, undefined])
})

test('a dry run plans and writes nothing', async () => {
  const fleet = await Fleet.create(fixture, 3, (index) => ({ zone: index === 3 ? 'long' : 'a' }))
  const config = { type: 'object', properties: { zone: { type: 'string', maxLength: 2 } } }
  await fleet.publish('1.0.0', { config })
  await fleet.changeState('web-2', 'disable')
  const fields = { config: { zone: '{{ host.labels.zone }}' }, waves: ['1', '100%'] }
  const { body: auditedBefore } = await fleet.admin.get('/v1/audit-entries?q=operation=CreateRollout&count=true')
  const { body } = await fleet.post('1.0.0', { ...fields, dryRun: true })
  assert.equal(body.inventory, null)
  const plan = body.plan as { hostName: string; wave: number; action: string; bytes: number; obstacle: string | null }[]
  assert.deepEqual(
    plan.map(({ hostName, wave, action, obstacle }) => [hostName.slice(-5), wave, action, obstacle]),
    [
      ['web-1', 1, 'Install', null],
      ['web-2', 2, 'Install', `host ${fleet.software}-web-2 is Disabled`],
      ['web-3', 2, 'Install', 'config.zone must not have more than 2 characters'],
    ],
  )
  assert.ok(plan.every(({ bytes }) => bytes > 0))
  const { body: found } = await fleet.admin.get(`/v1/rollouts?q=softwareName=${fleet.software}&count=true`)
  assert.equal(found.total, 0)
  const { body: audited } = await fleet.admin.get('/v1/audit-entries?q=operation=CreateRollout&count=true')
  assert.equal(audited.total, auditedBefore.total)
  const refused = await fleet.post('1.0.0', fields)
  assertFailure(refused, { status: 400, code: 'SYS.1007' })
  assert.match(refused.text, /web-3: config\.zone/)
  await fleet.admin.put(`/v1/releases/${fleet.releases.get('1.0.0')}/actions`, { retireRelease: {} })
  const retired = await fleet.post('1.0.0', { dryRun: true })
  assertFailure(retired, { status: 409, code: 'SYS.1006', details: 'is Retired' })
})

test('the plan of a rollout shows what blocks its pending hosts now', async () => {
  const fleet = await Fleet.create(fixture, 3)
  await fleet.publish('1.0.0')
  const uuid = await fleet.create('1.0.0', { requiresApproval: true })
  await fleet.changeState('web-1', 'disable')
  await fixture.server.app.foundation.database.transaction((tx) =>
    tx
      .updateTable('hosts')
      .set({ availableCapacity: 1 })
      .where('uuid', '=', fleet.hosts.get('web-2') ?? '')
      .execute(),
  )
  const { body } = await fleet.admin.get(`/v1/rollouts/${uuid}/plan`)
  const [disabled, full, free] = (body.plan as { obstacle: string | null }[]).map(({ obstacle }) => obstacle)
  assert.match(String(disabled), /web-1 is Disabled/)
  assert.match(String(full), /^not enough free space: \d+ bytes are sent, and 1 are free$/)
  assert.equal(free, null)
})

test('after the soak every host is verified again, and a failure there pauses', async () => {
  const fleet = await Fleet.create(fixture, 2)
  await fleet.publish('1.0.0')
  const uuid = await fleet.create('1.0.0', { waves: ['1', '100%'], soakSeconds: 1 })
  while ((await fleet.waves(uuid)) !== '1 Soaking, 1 Pending') await delay(20)
  fleet.set('web-1', 'fail', 'verify-1.0.0')
  await fleet.until(uuid, 'Paused Failures')
  assert.equal(await fleet.states(uuid), 'web-1 Failed, web-2 Pending')
  fleet.clear('web-1', 'fail', 'verify-1.0.0')
  assert.equal((await fleet.act(uuid, 'retry')).status, 200)
  await fleet.until(uuid, 'Succeeded')
  assert.deepEqual(fleet.record('web-1'), ['install 1.0.0'])
})

test('unreachable hosts fail, are skipped or are waited for', async () => {
  const fleet = await Fleet.create(fixture, 2)
  await fleet.publish('1.0.0')
  await fleet.changeState('web-1', 'disable')
  const skipped = await fleet.create('1.0.0', { unreachable: 'skip', waves: ['100%'] })
  await fleet.until(skipped, 'Succeeded')
  assert.equal(await fleet.states(skipped), 'web-1 Skipped, web-2 Succeeded')
  const failed = await fleet.create('1.0.0', { waves: ['100%'], maxFailures: '50%' })
  await fleet.until(failed, 'Succeeded')
  assert.equal(await fleet.states(failed), 'web-1 Unreachable, web-2 AlreadyInstalled')
  const waiting = await fleet.create('1.0.0', { unreachable: 'wait', waves: ['100%'] })
  while ((await fleet.states(waiting)) !== 'web-1 Waiting, web-2 AlreadyInstalled') await delay(20)
  await fleet.changeState('web-1', 'enable')
  await fleet.until(waiting, 'Succeeded')
})

test('manual promotion waits after each wave but the last', async () => {
  const fleet = await Fleet.create(fixture, 2)
  await fleet.publish('1.0.0')
  const uuid = await fleet.create('1.0.0', { promotion: 'manual', waves: ['1', '100%'] })
  await fleet.until(uuid, 'Paused Promotion')
  assertFailure(await fleet.act(uuid, 'resume'), { status: 409, code: 'SYS.1005' })
  assert.equal(await fleet.waves(uuid), '1 AwaitingPromotion, 1 Pending')
  assert.equal((await fleet.act(uuid, 'promote')).status, 200)
  await fleet.until(uuid, 'Succeeded')
})

test('outside its maintenance window a rollout is paused and reports until when', async () => {
  const fleet = await Fleet.create(fixture, 1)
  await fleet.publish('1.0.0')
  const now = new Date()
  const cron = `0 0 1 ${((now.getUTCMonth() + 6) % 12) + 1} *`
  const params = { name: 'half a year away', cron, durationMinutes: 60 }
  const created = await fleet.admin.post('/v1/maintenance-windows', { params })
  const { uuid: windowUuid } = created.body.inventory as { uuid: string }
  const uuid = await fleet.create('1.0.0', { windowUuid })
  const { pausedUntil } = await fleet.until(uuid, 'Paused Window')
  assert.match(String(pausedUntil), / 1, 20\d\d 12:00:00 AM$/)
  assertFailure(await fleet.admin.delete(`/v1/maintenance-windows/${windowUuid}`), { status: 409, code: 'SYS.1004' })
  assertFailure(await fleet.act(uuid, 'resume'), { status: 409, code: 'SYS.1005' })
  const change = { cron: '* * * * *' }
  await fleet.admin.put(`/v1/maintenance-windows/${windowUuid}/actions`, { updateMaintenanceWindow: change })
  await fleet.until(uuid, 'Succeeded')
  assert.equal((await fleet.admin.delete(`/v1/maintenance-windows/${windowUuid}`)).status, 200)
})

test('hosts that match a dynamic rollout later join at its end', async () => {
  const fleet = await Fleet.create(fixture, 1)
  await fleet.publish('1.0.0')
  const uuid = await fleet.create('1.0.0', { dynamic: true })
  while ((await fleet.states(uuid)) !== 'web-1 Succeeded') await delay(20)
  await fleet.addHost('web-2')
  while ((await fleet.states(uuid)) !== 'web-1 Succeeded, web-2 Succeeded') await delay(20)
  assert.equal((await fleet.get(uuid)).state, 'Running')
  assert.equal((await fleet.act(uuid, 'stop')).status, 200)
  await fleet.until(uuid, 'Stopped')
})
