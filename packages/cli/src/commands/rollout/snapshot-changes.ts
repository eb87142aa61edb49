import type { RolloutTargetInventory, RolloutWaveInventory } from '@wharf/sdk'
import { printable } from '../../output/printable.ts'
import { describeState, describeWave, isBusy, isDone, isFailed, onOneLine, type RolloutSnapshot } from './snapshot.ts'

interface RolloutChange {
  /** As in events. */
  readonly resourceType: 'Rollout' | 'RolloutWave' | 'RolloutTarget'
  readonly record: { readonly uuid: string; readonly state: string }
  /** For people. */
  readonly line: string
}

/** As long as the longest state. */
const stateWidth = 17

const lineOf = (state: string, text: string): string =>
  printable(`${state.padEnd(stateWidth)}  ${onOneLine(text)}`).trimEnd()

/**
 * What has changed, wave by wave: its start, its hosts, its end. The end of the rollout follows all of them; its rollback
 * follows the failures and precedes the hosts that are restored.
 */
export function snapshotChanges(
  before: RolloutSnapshot | undefined,
  after: RolloutSnapshot,
  /** Of a rollout that was created just now, every host is news. */
  isNew = false,
): RolloutChange[] {
  const { rollout } = after
  const ofRollout = describeState(rollout) === (before && describeState(before.rollout)) ? [] : [rolloutChange(after)]
  const changed = new Set(changedWaves(before, after))
  const targets = changedTargets(before, after, isNew)
  const isRollingBack = rollout.state === 'RollingBack'
  const restored = isRollingBack ? targets.filter(isBusy) : []
  const ofRestored = restored.map((target) => targetChange(target, isStarted(before, target)))
  const ofWaves = after.waves.flatMap((wave) => {
    const own = targets.filter((target) => target.wave === wave.number && !restored.includes(target))
    const ofTargets = own.map((target) => targetChange(target))
    const ofWave = changed.has(wave) ? [waveChange(wave, after)] : []
    return wave.state === 'Running' ? [...ofWave, ...ofTargets] : [...ofTargets, ...ofWave]
  })
  if (rollout.state === 'Running') return [...ofRollout, ...ofWaves]
  return [...ofWaves, ...ofRollout, ...ofRestored]
}

/** It had ended before. */
const isStarted = (before: RolloutSnapshot | undefined, { uuid }: RolloutTargetInventory): boolean => {
  const earlier = before?.targets.get(uuid)
  return earlier !== undefined && !isBusy(earlier)
}

function changedWaves(before: RolloutSnapshot | undefined, after: RolloutSnapshot): RolloutWaveInventory[] {
  const known = new Map(before?.waves.map(({ uuid, state }) => [uuid, state]))
  return after.waves.filter(({ uuid, state }) => state !== (known.get(uuid) ?? 'Pending'))
}

/** The first time only the hosts that need attention: others have ended before. */
function changedTargets(before: RolloutSnapshot | undefined, after: RolloutSnapshot, isNew: boolean) {
  const targets = [...after.targets.values()]
  if (before === undefined && !isNew) return targets.filter((target) => isBusy(target) || isFailed(target))
  return targets.filter(({ uuid, state }) => state !== (before?.targets.get(uuid)?.state ?? 'Pending'))
}

const rolloutChange = ({ rollout }: RolloutSnapshot): RolloutChange => ({
  resourceType: 'Rollout',
  record: rollout,
  line: lineOf(rollout.state, `rollout ${rollout.name}${describeState(rollout).slice(rollout.state.length)}`),
})

function waveChange(wave: RolloutWaveInventory, { rollout, waves, targets }: RolloutSnapshot): RolloutChange {
  const own = [...targets.values()].filter((target) => target.wave === wave.number)
  const failed = own.filter(isFailed).length
  const restored = own.filter(({ state }) => state === 'RolledBack').length
  // a host that is restored had succeeded when its wave failed; one that was cancelled had not
  const undone = rollout.state === 'RollingBack' ? restored + own.filter(isBusy).length : 0
  const counts = describeWave(wave, { done: own.filter(isDone).length + undone, failed, restored })
  const line = lineOf(wave.state, `wave ${wave.number} of ${waves.length}: ${counts}`)
  return { resourceType: 'RolloutWave', record: wave, line }
}

/** `isRestoreStarted`: its earlier version is about to be restored. */
function targetChange(target: RolloutTargetInventory, isRestoreStarted = false): RolloutChange {
  const { hostName, wave, attempts, error, state, fromVersion } = target
  const restore = isRestoreStarted ? `, back to ${fromVersion ?? 'nothing'}` : ''
  const attempt = isBusy(target) && attempts > 1 ? `, attempt ${attempts}` : ''
  const cause = error !== null && (isFailed(target) || state === 'Waiting' || state === 'Skipped') ? `: ${error}` : ''
  return {
    resourceType: 'RolloutTarget',
    record: target,
    line: lineOf(state, `${hostName} in wave ${wave}${restore}${attempt}${cause}`),
  }
}
