import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertFailure, EventRecorder, type PackageFixture, reverseCleanup, testEngine, testOnce } from '@wharf/testkit'
import { Fleet } from './testing/fleet.ts'

const cleanup = reverseCleanup({ after })
let fixture: PackageFixture
before(async () => {
  fixture = await Fleet.start(cleanup)
})

// on PostgreSQL: killed-nodes.postgres.slow.test.ts, and upgrades in software-packages/upgrade.engines.slow.test.ts
testOnce(
  'a release reaches every host in waves; a second rollout upgrades, and a rollback restores configurations',
  async () => {
    const fleet = await Fleet.create(fixture, 4)
    await fleet.publish('1.0.0')
    const first = await fleet.create('1.0.0', { config: { at: '{{ host.name }}' } })
    await fleet.until(first, 'Succeeded')
    assert.deepEqual(fleet.versions(), ['1.0.0', '1.0.0', '1.0.0', '1.0.0'])
    assert.equal(fleet.installed('web-2'), `1.0.0 {"config":{"at":"${fleet.software}-web-2"}}`)
    assert.equal(await fleet.waves(first), '1 Succeeded, 0 Succeeded, 3 Succeeded')
    const again = await fleet.create('1.0.0')
    await fleet.until(again, 'Succeeded')
    assert.match(await fleet.states(again), /^web-1 AlreadyInstalled, web-2 AlreadyInstalled/)

    await fleet.publish('1.1.0', { upgrade: true })
    const second = await fleet.create('1.1.0', { config: { at: 'all' } })
    const ended = await fleet.until(second, 'Succeeded')
    assert.deepEqual([ended.targetCount, ended.succeededCount, ended.failedCount], [4, 4, 0])
    assert.deepEqual(fleet.record('web-1'), ['install 1.0.0', 'upgrade 1.1.0'])
    const [target] = await fleet.targets(second)
    assert.deepEqual([target?.action, target?.fromVersion, target?.toVersion], ['Upgrade', '1.0.0', '1.1.0'])

    assert.equal((await fleet.act(second, 'rollBack', { scope: 'all' })).status, 200)
    await fleet.until(second, 'RolledBack')
    assert.deepEqual(fleet.versions(), ['1.0.0', '1.0.0', '1.0.0', '1.0.0'])
    assert.equal(fleet.installed('web-2'), `1.0.0 {"config":{"at":"${fleet.software}-web-2"}}`)
    assert.equal(await fleet.waves(second), '1 RolledBack, 0 Succeeded, 3 RolledBack')
    assert.equal((await fleet.act(first, 'rollBack')).status, 200)
    await fleet.until(first, 'RolledBack')
    assert.deepEqual(fleet.versions(), [undefined, undefined, undefined, undefined])
    const { body } = await fleet.admin.get(`/v1/software-package?q=hostUuid=${fleet.hosts.get('web-1')}`)
    assert.deepEqual(
      (body.inventories as { version: string; status: string }[]).map(({ version, status }) => `${version} ${status}`),
      ['1.1.0 Uploaded'],
    )
  },
)

test('a host has one unfinished rollout of a piece of software; the second is refused and names the first', async () => {
  const fleet = await Fleet.create(fixture, 2)
  await fleet.publish('1.0.0')
  const first = await fleet.create('1.0.0', { requiresApproval: true })
  const answers = await Promise.all([
    fleet.post('1.0.0'),
    fleet.post('1.0.0', { hostUuids: [fleet.hosts.get('web-2')] }),
  ])
  for (const answer of answers) {
    assertFailure(answer, { status: 409, code: 'SYS.1002' })
    assert.match(answer.text, new RegExp(first))
  }
  const { name } = await fleet.get(first)
  const { body } = await fleet.post('1.0.0', { dryRun: true })
  const [{ obstacle }] = body.plan as [{ obstacle: string }]
  assert.equal(obstacle, `rollout ${name} of the same software is unfinished on this host`)
  assertFailure(await fleet.act(first, 'approve'), { status: 403, code: 'ID.1002' })
  assert.equal((await fleet.act(first, 'deny')).status, 200)
  assert.equal((await fleet.get(first)).state, 'Denied')
  await fleet.until(await fleet.create('1.0.0'), 'Succeeded')
  assert.equal((await fleet.admin.delete(`/v1/rollouts/${first}`)).status, 200)
})

testOnce('every commit that changes a rollout, a wave or a target is one event', async (t) => {
  const fleet = await Fleet.create(fixture, 3)
  await fleet.publish('1.0.0')
  const recorder = await EventRecorder.open(fleet.admin)
  t.after(() => recorder.stop())
  const uuid = await fleet.create('1.0.0', { waves: ['1', '100%'], maxParallel: 1 })
  await fleet.until(uuid, 'Succeeded')
  const { body } = await fleet.admin.get(`/v1/rollouts/${uuid}/waves?sort=number`)
  const waves = (body.inventories as { uuid: string }[]).map((wave) => wave.uuid)
  const targets = (await fleet.targets(uuid)).map((target) => String(target.uuid))
  /** How many events of each record there were since the last call. */
  const counts = async (): Promise<Record<string, number[]>> => {
    await delay(200)
    const changes = recorder.changes
    recorder.events.length = 0
    const of = (one: string): number => changes.filter((change) => change.endsWith(one)).length
    return { rollout: [of(uuid)], waves: waves.map(of), targets: targets.map(of) }
  }
  const { targets: ofTargets, ...others } = await counts()
  // Waiting, Transferring, Installing, Verifying, Succeeded
  assert.deepEqual(ofTargets, [5, 5, 5])
  // on PostgreSQL a target may end while the coordinator commits, so that its count is a commit of its own
  if (testEngine === 'sqlite')
    assert.deepEqual(others, {
      // created; each start of a wave, with the end of the one before; each further host; its end
      rollout: [5],
      // created; Running; each host but the last; Succeeded with the last
      waves: [3, 4],
    })
  assert.equal((await fleet.act(uuid, 'rollBack')).status, 200)
  await fleet.until(uuid, 'RolledBack')
  // Waiting, Installing, RolledBack
  assert.deepEqual((await counts()).targets, [3, 3, 3])
})
