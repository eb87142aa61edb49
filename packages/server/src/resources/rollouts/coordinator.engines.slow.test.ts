import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { afterCommit } from '@wharf/database/database.ts'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import type { Log } from '@wharf/platform/log.ts'
import { MovingClock, reverseCleanup, testAuditTrail, testDatabase } from '@wharf/testkit'
import { Outbox } from '../../events/outbox.ts'
import type { SelectedHost } from '../hosts/service.ts'
import { Coordinator } from './coordinator.ts'
import { newTargets, newWaves } from './new-rows.ts'
import type { PlannedTarget } from './plan.ts'
import { RolloutRecords } from './rollout-records.ts'
import { type RolloutRow, RolloutStore } from './store.ts'
import { TargetEnd } from './target-end.ts'

const log = { warn: (_: unknown, text: string) => assert.fail(text) } as unknown as Log

/** The coordinator on a database, with jobs that the test ends. */
class Trial {
  readonly database
  readonly clock
  readonly store
  readonly records
  readonly ends
  readonly coordinators: Coordinator[]
  readonly hosts = new Map<string, SelectedHost>()
  readonly started: string[] = []
  readonly messages: string[] = []

  constructor(database: Awaited<ReturnType<typeof testDatabase>>, nodes: number) {
    this.database = database
    this.clock = new MovingClock()
    this.store = new RolloutStore(database)
    const events = new Outbox({ database, clock: this.clock, audit: testAuditTrail(database, this.clock) })
    this.records = new RolloutRecords({ database, events, clock: this.clock, store: this.store })
    this.ends = new TargetEnd({ clock: this.clock, store: this.store, records: this.records })
    this.coordinators = [...Array(nodes)].map(
      () =>
        new Coordinator(
          {
            database,
            clock: this.clock,
            log,
            store: this.store,
            records: this.records,
            hosts: {
              selection: { listByUuids: async (uuids: string[]) => uuids.map((uuid) => this.hosts.get(uuid)) },
            } as never,
            windows: { find: async () => undefined },
            platforms: { findAlertSince: async () => undefined },
            jobs: { get: async () => assert.fail('no job is cancelled'), cancel: async () => {} },
            targetJobs: {
              start: async (tx, _rollout, target, phase) => {
                // no job runs before the commit
                afterCommit(tx, () => this.started.push(`${phase} ${target.hostName}`))
                return { state: phase === 'Verify' ? 'Verifying' : 'Installing', jobUuid: newUuid() }
              },
            },
            systemEvents: { record: async (_tx, { event }) => void this.messages.push(event) },
            addHosts: async () => {},
          },
          { pollMs: 20, gatherMs: 1 },
        ),
    )
  }

  static async start(t: TestContext, nodes = 1): Promise<Trial> {
    const cleanup = reverseCleanup(t)
    const trial = new Trial(await testDatabase(cleanup), nodes)
    cleanup.after(async () => void (await Promise.all(trial.coordinators.map((coordinator) => coordinator.stop()))))
    for (const coordinator of trial.coordinators) coordinator.start()
    return trial
  }

  async create(sizes: readonly number[], change: Partial<RolloutRow> = {}): Promise<string> {
    const uuid = newUuid()
    const now = this.clock.now()
    const row: RolloutRow = {
      uuid,
      name: 'trial',
      releaseUuid: newUuid(),
      softwareName: 'demo',
      version: '1.0.0',
      state: 'Running',
      pauseReason: null,
      pausedUntil: null,
      reason: null,
      selector: '[]',
      waves: '[]',
      currentWave: null,
      spreadBy: null,
      promotion: 'automatic',
      maxParallel: 2,
      maxFailures: '0',
      unreachable: 'fail',
      targetDeadlineSeconds: 60,
      soakSeconds: 0,
      alertPlatformUuids: '[]',
      retries: 0,
      onFailure: 'pause',
      dynamic: 0,
      startAt: null,
      windowUuid: null,
      ignoreWindow: 0,
      requiresApproval: 0,
      approvedBy: null,
      keepVersions: 2,
      stopMode: null,
      targetCount: 0,
      succeededCount: 0,
      failedCount: 0,
      skippedCount: 0,
      accountUuid: newUuid(),
      userUuid: newUuid(),
      userName: 'admin',
      sealedConfig: Buffer.from(''),
      rollBackScope: null,
      isRollBackAutomatic: 0,
      startDate: null,
      endDate: null,
      createDate: now,
      lastOpDate: now,
      ...change,
    }
    const names = sizes.flatMap((size, wave) => [...Array(size).keys()].map((index) => `w${wave + 1}-${index + 1}`))
    const waveOf = sizes.flatMap((size, wave) => Array<number>(size).fill(wave + 1))
    const targets = names.map((name, index): PlannedTarget => {
      const host = {
        uuid: newUuid(),
        name,
        address: '10.0.0.1',
        state: 'Enabled',
        status: 'Connected',
        errorDetails: null,
      } as SelectedHost
      this.hosts.set(host.uuid, host)
      return {
        host,
        wave: waveOf[index] ?? 1,
        action: 'Install',
        fromVersion: null,
        toVersion: '1.0.0',
        bytes: 1,
        obstacle: null,
        previousPackageUuid: null,
      }
    })
    const options = {
      rolloutUuid: uuid,
      softwareName: 'demo',
      isWindowBound: () => false,
      seal: () => Buffer.from(''),
      firstWave: 1,
      now,
    }
    await this.database.transaction(async (tx) => {
      await this.records.insert(tx, row)
      await this.records.addWaves(tx, newWaves(uuid, sizes, 1, now))
      await this.records.addTargets(tx, newTargets({ targets, configs: undefined }, options))
      this.records.reportProgress(tx, uuid)
    })
    return uuid
  }

  setHost(name: string, change: Partial<SelectedHost>): void {
    const host = [...this.hosts.values()].find((one) => one.name === name)
    if (host) this.hosts.set(host.uuid, { ...host, ...change })
  }

  /** Ends the job of a target, as the job runner does. */
  async end(uuid: string, hostName: string, failure?: ApiError): Promise<void> {
    const target = (await this.store.listTargets(uuid)).find((one) => one.hostName === hostName)
    const input = { targetUuid: target?.uuid ?? '', rolloutUuid: uuid }
    await this.database.transaction((tx) => {
      if (failure) return this.ends.fail(tx, input, { failure, isUndoFailed: false })
      if (target?.phase === 'Verify') return this.ends.succeedVerification(tx, input)
      return target?.phase === 'Restore'
        ? this.ends.succeed(tx, input, { state: 'RolledBack', isChanged: 0 })
        : this.ends.succeed(tx, input, { state: 'Succeeded', isChanged: 1 })
    })
  }

  async states(uuid: string): Promise<string> {
    return (await this.store.listTargets(uuid)).map(({ hostName, state }) => `${hostName} ${state}`).join(', ')
  }

  async until(uuid: string, state: string): Promise<RolloutRow> {
    for (let round = 0; round < 500; round++, await delay(10)) {
      const row = await this.records.get(uuid)
      if ([row.state, `${row.state} ${row.pauseReason}`].includes(state)) return row
    }
    throw new Error(`not ${state}: ${await this.states(uuid)}`)
  }

  async untilStarted(...expected: string[]): Promise<void> {
    for (let round = 0; round < 500 && this.started.length < expected.length; round++) await delay(10)
    await delay(30)
    assert.deepEqual(this.started.splice(0), expected)
  }
}

const failure = (code: 'SoftwarePackage.1300' | 'HOST.1003') => new ApiError(code, 'it failed')

for (const nodes of [1, 2])
  test(`waves follow each other with at most maxParallel jobs, on ${nodes} coordinators`, async (t) => {
    const trial = await Trial.start(t, nodes)
    const uuid = await trial.create([1, 0, 3])
    await trial.untilStarted('Install w1-1')
    await trial.end(uuid, 'w1-1')
    await trial.untilStarted('Install w3-1', 'Install w3-2')
    await trial.end(uuid, 'w3-2')
    await trial.untilStarted('Install w3-3')
    await trial.end(uuid, 'w3-1')
    await trial.end(uuid, 'w3-3')
    const { succeededCount, failedCount, endDate } = await trial.until(uuid, 'Succeeded')
    assert.deepEqual([succeededCount, failedCount, endDate === null], [4, 0, false])
    assert.deepEqual(trial.messages, ['RolloutSucceeded'])
    const open = await trial.store.listOpen('demo')
    assert.deepEqual(open, [])
  })

test('a failure pauses; a lost connection is retried after its pause', async (t) => {
  const trial = await Trial.start(t)
  const uuid = await trial.create([2, 1], { retries: 1 })
  await trial.untilStarted('Install w1-1', 'Install w1-2')
  await trial.end(uuid, 'w1-1', failure('HOST.1003'))
  assert.equal(await trial.states(uuid), 'w1-1 Waiting, w1-2 Installing, w2-1 Pending')
  trial.clock.advance(31_000)
  await trial.untilStarted('Install w1-1')
  await trial.end(uuid, 'w1-1', failure('HOST.1003'))
  await trial.end(uuid, 'w1-2')
  const { failedCount, reason } = await trial.until(uuid, 'Paused Failures')
  assert.equal(failedCount, 1)
  assert.equal(reason, '1 of 2 hosts of wave 1 failed')
  assert.equal(await trial.states(uuid), 'w1-1 Unreachable, w1-2 Succeeded, w2-1 Pending')
  assert.deepEqual(trial.messages, ['RolloutPaused'])
})

test('rollBackAll restores what was changed, after the running targets have finished', async (t) => {
  const trial = await Trial.start(t)
  const uuid = await trial.create([1, 3], { onFailure: 'rollBackAll' })
  await trial.untilStarted('Install w1-1')
  await trial.end(uuid, 'w1-1')
  await trial.untilStarted('Install w2-1', 'Install w2-2')
  await trial.end(uuid, 'w2-1', failure('SoftwarePackage.1300'))
  await trial.untilStarted('Restore w1-1')
  await trial.end(uuid, 'w2-2')
  await trial.untilStarted('Restore w2-2')
  await trial.end(uuid, 'w1-1')
  await trial.end(uuid, 'w2-2')
  await trial.until(uuid, 'RolledBack')
  assert.equal(await trial.states(uuid), 'w1-1 RolledBack, w2-1 Failed, w2-2 RolledBack, w2-3 Skipped')
  assert.deepEqual(trial.messages, ['RolloutFailed'])
})

test('after the soak the wave is verified again', async (t) => {
  const trial = await Trial.start(t)
  const uuid = await trial.create([1], { soakSeconds: 60 })
  await trial.untilStarted('Install w1-1')
  await trial.end(uuid, 'w1-1')
  await delay(100)
  assert.deepEqual(trial.started, [])
  trial.clock.advance(60_000)
  await trial.untilStarted('Verify w1-1')
  await trial.end(uuid, 'w1-1')
  await trial.until(uuid, 'Succeeded')
})

test('hosts that cannot be reached are waited for until the deadline', async (t) => {
  const trial = await Trial.start(t)
  const uuid = await trial.create([0, 2], { unreachable: 'wait', maxFailures: '1', state: 'Scheduled', startAt: 0 })
  await trial.untilStarted('Install w2-1', 'Install w2-2')
  await trial.end(uuid, 'w2-1')
  await trial.end(uuid, 'w2-2')
  await trial.until(uuid, 'Succeeded')
  const other = await trial.create([2], {
    unreachable: 'wait',
    maxFailures: '1',
    softwareName: 'other',
    state: 'Scheduled',
    startAt: trial.clock.now() + 1000,
  })
  trial.setHost('w1-1', { status: 'Disconnected', errorDetails: 'no route' })
  trial.clock.advance(1000)
  await trial.untilStarted('Install w1-2')
  await trial.end(other, 'w1-2')
  assert.equal(await trial.states(other), 'w1-1 Waiting, w1-2 Succeeded')
  trial.clock.advance(61_000)
  await trial.until(other, 'Succeeded')
  assert.equal(await trial.states(other), 'w1-1 Unreachable, w1-2 Succeeded')
  assert.match(
    String((await trial.store.listTargets(other))[0]?.error),
    /no route; it did not become reachable within 60 s/,
  )
})
