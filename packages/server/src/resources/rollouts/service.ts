import { failedTargetStates, isActiveRollout } from '@wharf/contract'
import type { Database, Tx } from '@wharf/database/database.ts'
import { ApiError, invalid, notFound } from '@wharf/platform/api-error.ts'
import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { CallContext } from '../../calls/call-context.ts'
import type { Caller } from '../../calls/caller.ts'
import type { SystemEventRecorder } from '../../events/system-event.ts'
import type { AlertPlatformService } from '../alerts/service.ts'
import type { HostService } from '../hosts/service.ts'
import { requireWorkOn } from '../hosts/service.ts'
import type { MaintenanceWindowService } from '../maintenance-windows/service.ts'
import type { ReleaseService } from '../releases/service.ts'
import { countOf } from './decide.ts'
import { newTargets, newWaves } from './new-rows.ts'
import * as operator from './operator-changes.ts'
import { hostObstacle } from './plan.ts'
import type { Plan, Planner } from './planner.ts'
import { rolloutEvent } from './rollout-event.ts'
import { type RolloutFields, readRolloutFields, requireIgnoreWindow } from './rollout-input.ts'
import type { RolloutRecords } from './rollout-records.ts'
import type { SealedConfigs } from './sealed-config.ts'
import type { OpenTarget, RolloutRow, RolloutStore, WaveRow } from './store.ts'
import type { WindowBinding } from './window-binding.ts'

interface RolloutDeps {
  readonly database: Database
  readonly store: RolloutStore
  readonly records: RolloutRecords
  readonly planner: Planner
  readonly releases: ReleaseService
  readonly hosts: HostService
  readonly windows: MaintenanceWindowService
  readonly windowBinding: WindowBinding
  readonly platforms: Pick<AlertPlatformService, 'refuseMissing'>
  readonly configs: SealedConfigs
  readonly clock: { now(): number }
  readonly settings: { readonly timezone: string }
  readonly systemEvents: SystemEventRecorder
}

type Call = Pick<CallContext, 'caller'> & { readonly fields: RolloutFields }

const failedStates = failedTargetStates

/** Rollouts as their users create and control them; the coordinator does the work. */
export class RolloutService {
  readonly #deps: RolloutDeps

  constructor(deps: RolloutDeps) {
    this.#deps = deps
  }

  /** Everything that can be refused is refused here, and nothing is written. */
  async prepare({ fields, caller }: Call) {
    const { releases, planner, windowBinding, settings } = this.#deps
    const columns = readRolloutFields(fields, caller, settings.timezone)
    const release = await releases.resolve(fields.releaseUuid, 'params.releaseUuid')
    releases.refuseRetired(release)
    const { config, hostUuids, selector = [] } = fields
    const waves = JSON.parse(columns.waves) as string[]
    const { spreadBy } = columns
    const namesRollouts = caller.scope === undefined
    const plan = await planner.plan({ selector, hostUuids, waves, spreadBy, config, release, namesRollouts })
    for (const { host } of plan.targets) requireWorkOn(host, caller)
    const isBound = await windowBinding(columns.windowUuid)
    return { columns, release, config, plan, isBound }
  }

  async create(
    tx: Tx,
    { caller, fields }: Call,
    { columns, release, config, plan, isBound }: Awaited<ReturnType<RolloutService['prepare']>>,
  ): Promise<RolloutRow> {
    const { records, store, configs, clock, platforms, windows, releases } = this.#deps
    refuseInvalidConfigs(plan)
    if (plan.targets.length === 0 && columns.dynamic === 0)
      throw invalid('params.selector matches no host; with dynamic, hosts that match later join the rollout')
    await platforms.refuseMissing(tx, JSON.parse(columns.alertPlatformUuids) as string[])
    if (columns.windowUuid !== null) await windows.get(columns.windowUuid, tx)
    // retired or deleted since
    releases.refuseRetired(await releases.lock(tx, release.uuid))
    const now = clock.now()
    const uuid = fields.resourceUuid ?? newSequentialUuid()
    const row: RolloutRow = {
      ...columns,
      uuid,
      releaseUuid: release.uuid,
      softwareName: release.name,
      version: release.version,
      state:
        columns.requiresApproval === 1 ? 'AwaitingApproval' : operator.startState({ ...columns, startDate: null }, now),
      pauseReason: null,
      pausedUntil: null,
      reason: null,
      currentWave: null,
      approvedBy: null,
      stopMode: null,
      targetCount: plan.targets.length,
      succeededCount: 0,
      failedCount: 0,
      skippedCount: 0,
      accountUuid: caller.accountUuid,
      userUuid: caller.userUuid,
      userName: caller.userName,
      sealedConfig: configs.sealTemplate(uuid, config ?? {}),
      rollBackScope: null,
      isRollBackAutomatic: 0,
      startDate: null,
      endDate: null,
      createDate: now,
      lastOpDate: now,
    }
    await records.insert(tx, row)
    await records.addWaves(tx, newWaves(uuid, plan.sizes, 1, now))
    const targets = newTargets(plan, {
      rolloutUuid: uuid,
      softwareName: release.name,
      isWindowBound: isBound,
      seal: (target, text) => configs.sealRendered(target, text),
      firstWave: 1,
      now,
    })
    // the event of the rollout announces all of them
    const inserted = await store.insertTargets(tx, targets)
    const refused = targets.find((target) => !inserted.has(target.uuid))
    if (refused) throw await this.#conflict(tx, release.name, refused.hostUuid)
    records.reportProgress(tx, uuid)
    return row
  }

  /** Rule 3, which an index enforces: a host has at most one unfinished rollout of a piece of software. */
  async #conflict(tx: Tx, softwareName: string, hostUuid: string): Promise<ApiError> {
    const open = await this.#deps.store.listOpen(softwareName, tx)
    const other = open.find((target) => target.hostUuid === hostUuid)
    return other
      ? conflictOf(other, softwareName)
      : new ApiError('SYS.1002', `host ${hostUuid} has an unfinished rollout of ${softwareName}`)
  }

  /** The plan as it was made, with what blocks hosts that were not started yet. */
  async plan(uuid: string) {
    const { store, hosts, records } = this.#deps
    await records.get(uuid)
    const targets = await store.listTargets(uuid)
    const pending = targets.filter(({ state }) => state === 'Pending')
    const found = await hosts.selection.listByUuids(pending.map(({ hostUuid }) => hostUuid))
    const byUuid = new Map(found.map((host) => [host.uuid, host]))
    return targets.map((target) => {
      const { hostUuid, hostName, wave, action, fromVersion, toVersion, bytes, state } = target
      const host = byUuid.get(hostUuid)
      const obstacle = state !== 'Pending' ? null : host ? hostObstacle(host, bytes) : 'the host was removed from Wharf'
      return { hostUuid, hostName, wave, action, fromVersion, toVersion, bytes, obstacle }
    })
  }

  async #locked(tx: Tx, uuid: string): Promise<RolloutRow> {
    const row = await this.#deps.store.lock(tx, uuid)
    if (row === undefined) throw notFound('rollout', uuid)
    return row
  }

  async #currentWave(tx: Tx, { uuid, currentWave }: RolloutRow): Promise<WaveRow | undefined> {
    return (await this.#deps.store.listWaves(tx, uuid)).find(({ number }) => number === currentWave)
  }

  async #changed(tx: Tx, uuid: string, change: Partial<RolloutRow>): Promise<RolloutRow> {
    const { records } = this.#deps
    await records.update(tx, uuid, change)
    records.reportProgress(tx, uuid)
    return records.get(uuid, tx)
  }

  async #apply(tx: Tx, rollout: RolloutRow, wave: WaveRow | undefined, change: operator.OperatorChange) {
    if (change.wave && wave) {
      const { number: _, ...columns } = change.wave
      await this.#deps.records.changeWave(tx, wave.uuid, columns)
    }
    return this.#changed(tx, rollout.uuid, change.rollout)
  }

  async approve(tx: Tx, uuid: string, { userUuid }: Caller): Promise<RolloutRow> {
    const rollout = await this.#locked(tx, uuid)
    operator.requireAction(rollout, 'approve')
    if (rollout.userUuid === userUuid)
      throw new ApiError('ID.1002', `rollout ${rollout.name} must be approved by another user than its creator`)
    const state = operator.startState(rollout, this.#deps.clock.now())
    return this.#changed(tx, uuid, { state, approvedBy: userUuid })
  }

  async deny(tx: Tx, uuid: string, { userUuid, userName }: Caller): Promise<RolloutRow> {
    const { records, store, clock } = this.#deps
    const rollout = await this.#locked(tx, uuid)
    operator.requireAction(rollout, 'deny')
    const endDate = clock.now()
    await records.changeTargets(tx, uuid, ['Pending'], { state: 'Skipped', endDate })
    for (const wave of await store.listWaves(tx, uuid))
      await records.changeWave(tx, wave.uuid, { state: 'Skipped', endDate })
    await store.closeTargets(tx, uuid)
    const skippedCount = rollout.targetCount
    const reason = `${userName} denied it`
    return this.#changed(tx, uuid, { state: 'Denied', approvedBy: userUuid, endDate, skippedCount, reason })
  }

  async pause(tx: Tx, uuid: string, { userName }: Caller): Promise<RolloutRow> {
    const rollout = await this.#locked(tx, uuid)
    const paused = await this.#apply(tx, rollout, undefined, operator.pause(rollout, userName))
    const event = rolloutEvent(paused)
    if (event) await this.#deps.systemEvents.record(tx, event)
    return paused
  }

  async resume(tx: Tx, uuid: string, caller: Caller, ignoreWindow: boolean): Promise<RolloutRow> {
    requireIgnoreWindow(caller, ignoreWindow)
    const rollout = await this.#locked(tx, uuid)
    const wave = await this.#currentWave(tx, rollout)
    const counts = (await this.#deps.store.countTargets(tx, uuid)).get(rollout.currentWave ?? 0)
    const failures = countOf(counts, failedStates)
    const now = this.#deps.clock.now()
    const change = operator.resume(rollout, wave, { now, failures, ignoresWindow: ignoreWindow })
    const ignored = ignoreWindow ? { ignoreWindow: 1 } : {}
    return this.#apply(tx, rollout, wave, { ...change, rollout: { ...change.rollout, ...ignored } })
  }

  async promote(tx: Tx, uuid: string): Promise<RolloutRow> {
    const rollout = await this.#locked(tx, uuid)
    const wave = await this.#currentWave(tx, rollout)
    const counts = (await this.#deps.store.countTargets(tx, uuid)).get(rollout.currentWave ?? 0) ?? {}
    return this.#apply(tx, rollout, wave, operator.promote(rollout, wave, counts, this.#deps.clock.now()))
  }

  /** Failed targets only. An ended rollout is opened again. */
  async retry(tx: Tx, uuid: string): Promise<RolloutRow> {
    const rollout = await this.#locked(tx, uuid)
    const wave = await this.#currentWave(tx, rollout)
    const change = operator.retry(rollout, wave, this.#deps.clock.now())
    await this.#reopen(tx, rollout)
    const retried = await this.#deps.records.changeTargets(tx, uuid, failedStates, {
      state: 'Pending',
      phase: 'Install',
      attempts: 0,
      isVerified: 0,
      endDate: null,
    })
    if (retried === 0) throw new ApiError('SYS.1005', `rollout ${rollout.name} has no failed host to try again`)
    return this.#apply(tx, rollout, wave, change)
  }

  async stop(tx: Tx, uuid: string, { userName }: Caller, mode: 'finish' | 'cancel'): Promise<RolloutRow> {
    const rollout = await this.#locked(tx, uuid)
    operator.requireAction(rollout, 'stop')
    // a second call can only be stricter
    const stopMode = rollout.stopMode === 'cancel' ? 'cancel' : mode
    return this.#changed(tx, uuid, { stopMode, reason: `${userName} stopped it` })
  }

  async rollBack(tx: Tx, uuid: string, { userName }: Caller, scope: 'wave' | 'all'): Promise<RolloutRow> {
    const rollout = await this.#locked(tx, uuid)
    operator.requireAction(rollout, 'roll back')
    await this.#reopen(tx, rollout)
    // what could not be restored before is tried again
    await this.#deps.records.changeTargets(tx, uuid, ['RollbackFailed'], { phase: 'Install', attempts: 0 })
    await this.#refuseNothingChanged(tx, rollout, scope)
    return this.#changed(tx, uuid, {
      state: 'RollingBack',
      rollBackScope: scope,
      isRollBackAutomatic: 0,
      pauseReason: null,
      pausedUntil: null,
      endDate: null,
      reason: `${userName} rolled it back`,
    })
  }

  /** The rollback of an active rollout also ends it, so it is not refused. */
  async #refuseNothingChanged(tx: Tx, rollout: RolloutRow, scope: 'wave' | 'all'): Promise<void> {
    const { uuid, name, state, currentWave } = rollout
    if (isActiveRollout(state)) return
    const changed = await this.#deps.store.listChanged(tx, uuid, scope === 'wave' ? currentWave : null, 1)
    if (changed.length > 0) return
    const where = scope === 'wave' ? `wave ${currentWave} of rollout ${name}` : `rollout ${name}`
    throw new ApiError('SYS.1005', `${where} has nothing to restore: no host has what it installed`)
  }

  /** The hosts of an ended rollout may belong to another by now. */
  async #reopen(tx: Tx, { uuid, state, softwareName }: RolloutRow): Promise<void> {
    if (isActiveRollout(state)) return
    const { store } = this.#deps
    const other = await store.findConflictOf(tx, uuid)
    if (other) throw conflictOf(other, softwareName)
    await store.openTargets(tx, uuid)
  }

  async remove(tx: Tx, uuid: string): Promise<void> {
    operator.requireAction(await this.#locked(tx, uuid), 'delete')
    await this.#deps.records.remove(tx, uuid)
  }
}

function conflictOf({ hostName, rolloutName, rolloutUuid }: OpenTarget, softwareName: string): ApiError {
  const text = `${rolloutName} (${rolloutUuid})`
  return new ApiError(
    'SYS.1002',
    `host ${hostName} has an unfinished rollout of ${softwareName}: ${text}; wait until it has ended, or stop it`,
    { mentions: [{ uuid: rolloutUuid, text }] },
  )
}

/** A dry run shows all of them; nothing is created with one. */
function refuseInvalidConfigs({ targets, configs }: Plan): void {
  for (const { host } of targets) {
    const config = configs?.get(host.uuid)
    if (config !== undefined && 'problem' in config)
      throw invalid(`params.config is not valid for host ${host.name}: ${config.problem}`)
  }
}
