import type { Tx } from '@wharf/database/database.ts'
import type { AlertPlatformService } from '../alerts/service.ts'
import type { HostService } from '../hosts/service.ts'
import { type MaintenanceWindowService, windowState } from '../maintenance-windows/service.ts'
import type { Snapshot, TargetView } from './decide.ts'
import { unreachableReason } from './plan.ts'
import type { RolloutRow, RolloutStore, TargetRow, WaveRow } from './store.ts'

export interface SnapshotDeps {
  readonly store: RolloutStore
  readonly hosts: Pick<HostService, 'selection'>
  readonly windows: Pick<MaintenanceWindowService, 'find'>
  readonly platforms: Pick<AlertPlatformService, 'findAlertSince'>
}

/** The rollout as one transaction sees it, with what a decision needs beside it. */
export interface ReadSnapshot extends Snapshot {
  readonly rollout: RolloutRow
  readonly waves: readonly WaveRow[]
  readonly target: (uuid: string) => TargetRow
}

/** The wave that is in progress or comes next. */
const isUnfinished = ({ state }: WaveRow): boolean => !['Succeeded', 'Failed', 'Skipped', 'RolledBack'].includes(state)

export async function readSnapshot(
  tx: Tx,
  { store, hosts, windows, platforms }: SnapshotDeps,
  rollout: RolloutRow,
  now: number,
): Promise<ReadSnapshot> {
  const { uuid, state, maxParallel } = rollout
  const waves = await store.listWaves(tx, uuid)
  const busy = await store.listBusy(tx, uuid)
  const wave = waves.find(isUnfinished)
  const isRunning = state === 'Running' && wave !== undefined
  // one more than can start, so that a full list is not mistaken for the end of the wave
  const limit = maxParallel + 1
  const pending = isRunning ? await store.listPending(tx, uuid, wave.number, limit) : []
  const soaks = isRunning && rollout.soakSeconds > 0 && pending.length === 0
  const unverified = soaks ? await store.listUnverified(tx, uuid, wave.number, limit) : []
  const scope = rollout.rollBackScope === 'wave' ? rollout.currentWave : null
  const changed = state === 'RollingBack' ? await store.listChanged(tx, uuid, scope, limit) : []
  const rows = new Map([...busy, ...pending, ...unverified, ...changed].map((row) => [row.uuid, row]))
  // after the busy targets: one that ends meanwhile is counted in both, so that a failure is never overlooked
  const counts = await store.countTargets(tx, uuid)
  const found = await hosts.selection.listByUuids([...new Set([...rows.values()].map(({ hostUuid }) => hostUuid))], tx)
  const byUuid = new Map(found.map((host) => [host.uuid, host]))
  const view = (row: TargetRow): TargetView => {
    const host = byUuid.get(row.hostUuid)
    return { ...row, isGone: host === undefined, unreachable: host && unreachableReason(host) }
  }
  const window = await readWindow(tx, windows, rollout, now)
  const observed = JSON.parse(rollout.alertPlatformUuids) as string[]
  const since = isRunning && observed.length > 0 ? wave.gateSince : null
  const alert = since === null ? undefined : await platforms.findAlertSince(tx, observed, since)
  return {
    now,
    rollout,
    waves,
    counts,
    busy: busy.map(view),
    pending: () => pending.map(view),
    unverified: () => unverified.map(view),
    changed: changed.map(view),
    window,
    alert: alert && `alert ${alert.name} started to fire after the wave had started`,
    target: (target) => rows.get(target) as TargetRow,
  }
}

async function readWindow(
  tx: Tx,
  windows: SnapshotDeps['windows'],
  { windowUuid, ignoreWindow }: RolloutRow,
  now: number,
): Promise<Snapshot['window']> {
  const row = windowUuid === null || ignoreWindow === 1 ? undefined : await windows.find(windowUuid, tx)
  return row && windowState(row, now)
}
