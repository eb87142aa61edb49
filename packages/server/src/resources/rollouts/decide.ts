import {
  failedTargetStates,
  isActiveRollout,
  type PauseReason,
  type RolloutState,
  type TargetPhase,
  type TargetState,
  type WaveState,
} from '@wharf/contract'
import { allowedFailures } from './wave-sizes.ts'

/** The columns of a rollout that decisions depend on. */
export interface RolloutView {
  readonly state: RolloutState
  readonly pauseReason: PauseReason | null
  readonly promotion: 'automatic' | 'manual'
  readonly maxParallel: number
  readonly maxFailures: string | number
  readonly unreachable: 'fail' | 'skip' | 'wait'
  readonly targetDeadlineSeconds: number
  readonly soakSeconds: number
  readonly retries: number
  readonly onFailure: 'pause' | 'rollBackWave' | 'rollBackAll'
  readonly dynamic: number
  readonly startAt: number | null
  readonly stopMode: 'finish' | 'cancel' | null
  readonly rollBackScope: 'wave' | 'all' | null
}

export interface WaveView {
  readonly number: number
  readonly size: number
  readonly state: WaveState
  readonly soakUntil: number | null
  readonly acceptedFailures: number
}

export interface TargetView {
  readonly uuid: string
  readonly wave: number
  readonly state: TargetState
  readonly phase: TargetPhase
  readonly attempts: number
  /** Waiting without a job: when it is tried again. */
  readonly retryDate: number | null
  readonly waitingSince: number | null
  readonly isWindowBound: number
  /** Why its host cannot be worked on; undefined when it can. */
  readonly unreachable?: string | undefined
  /** The host was removed. */
  readonly isGone?: boolean
  /** The cancellation of its job was requested. */
  readonly isCancelled?: boolean
}

export type Counts = Readonly<Partial<Record<TargetState, number>>>

/** Everything that a decision depends on, read in one transaction. */
export interface Snapshot {
  readonly now: number
  readonly rollout: RolloutView
  /** In their order. */
  readonly waves: readonly WaveView[]
  /** The targets of each wave by state. */
  readonly counts: ReadonlyMap<number, Counts>
  /** The targets that are busy, and those that wait. */
  readonly busy: readonly TargetView[]
  /** The next pending targets up to a wave, in their order. */
  readonly pending: (upToWave: number) => readonly TargetView[]
  /** The next targets of a wave to verify again. */
  readonly unverified: (wave: number) => readonly TargetView[]
  /** The next targets to restore. */
  readonly changed: readonly TargetView[]
  /** Undefined when no window applies; otherwise whether it is open, and when it opens next. */
  readonly window?: { readonly isOpen: boolean; readonly opensAt: number | null } | undefined
  /** An alert of the rollout's platforms that started to fire after the current wave had started. */
  readonly alert?: string | undefined
}

export type Decision =
  | { readonly kind: 'startTarget'; readonly target: TargetView; readonly phase: TargetPhase }
  | {
      readonly kind: 'postponeTarget'
      readonly target: TargetView
      readonly phase: TargetPhase
      readonly retryDate: number
      /** It counts as an attempt. */
      readonly isAttempt: boolean
      readonly waitingSince: number | null
      readonly reason: string
    }
  | {
      readonly kind: 'endTarget'
      readonly target: TargetView
      readonly phase: TargetPhase
      readonly state: TargetState
      readonly reason: string | null
    }
  | { readonly kind: 'cancelTarget'; readonly target: TargetView }
  | { readonly kind: 'skipPending' }
  | { readonly kind: 'changeWave'; readonly number: number; readonly state: WaveState; readonly soakUntil?: number }
  | {
      readonly kind: 'changeRollout'
      readonly state: RolloutState
      readonly pauseReason?: PauseReason
      readonly pausedUntil?: number | null
      readonly reason?: string | null
      readonly rollBackScope?: 'wave' | 'all'
    }

/** Between the attempts of a target. */
export const retryPauseMs = 30_000
/** How often a host that is waited for is checked. */
const waitPollMs = 2000

const failedStates: readonly TargetState[] = failedTargetStates

export const countOf = (counts: Counts | undefined, states: readonly TargetState[]): number =>
  states.reduce((sum, state) => sum + (counts?.[state] ?? 0), 0)

const finished: readonly WaveState[] = ['Succeeded', 'Failed', 'Skipped', 'RolledBack']

/**
 * What to do next. It is called again after its decisions took effect, until it returns none: a wave that ends and the
 * next that starts are two calls.
 */
export function decide(snapshot: Snapshot): Decision[] {
  const { rollout } = snapshot
  if (!isActiveRollout(rollout.state)) return []
  if (rollout.stopMode !== null) return stop(snapshot, rollout.stopMode)
  switch (rollout.state) {
    case 'Scheduled':
      return snapshot.now >= (rollout.startAt ?? 0) ? [{ kind: 'changeRollout', state: 'Running' }] : []
    case 'Running':
      return run(snapshot)
    case 'Paused':
      return rollout.pauseReason === 'Window' && snapshot.window?.isOpen !== false
        ? [{ kind: 'changeRollout', state: 'Running' }]
        : []
    case 'RollingBack':
      return rollBack(snapshot)
    default:
      return []
  }
}

function run(snapshot: Snapshot): Decision[] {
  const { waves, rollout, counts } = snapshot
  const wave = waves.find(({ state }) => !finished.includes(state))
  if (wave === undefined) {
    if (rollout.dynamic === 1) return []
    const isFailed = waves.some(({ state }) => state === 'Failed')
    return [{ kind: 'changeRollout', state: isFailed ? 'Failed' : 'Succeeded' }]
  }
  if (wave.state === 'Pending') return startWave(snapshot, wave)
  const failures = countOf(counts.get(wave.number), failedStates)
  const limit = Math.max(allowedFailures(rollout.maxFailures, wave.size), wave.acceptedFailures)
  if (failures > limit)
    return failWave(snapshot, wave, 'Failures', `${failures} of ${wave.size} hosts of wave ${wave.number} failed`)
  if (snapshot.alert !== undefined) return failWave(snapshot, wave, 'Gate', snapshot.alert)
  return wave.state === 'Soaking' ? soak(snapshot, wave) : work(snapshot, wave, limit + rollout.maxParallel - failures)
}

function startWave(snapshot: Snapshot, wave: WaveView): Decision[] {
  if (wave.size === 0) return [{ kind: 'changeWave', number: wave.number, state: 'Succeeded' }]
  const next = snapshot.pending(wave.number)
  if (isClosed(snapshot) && next.length > 0 && next.every(({ isWindowBound }) => isWindowBound === 1))
    return pauseForWindow(snapshot)
  return [{ kind: 'changeWave', number: wave.number, state: 'Running' }]
}

const isClosed = ({ window }: Snapshot): boolean => window?.isOpen === false

const pauseForWindow = ({ window }: Snapshot): Decision[] => [
  {
    kind: 'changeRollout',
    state: 'Paused',
    pauseReason: 'Window',
    pausedUntil: window?.opensAt ?? null,
    reason: 'the maintenance window is closed',
  },
]

/** `doubtful`: so many further targets may fail, running ones included, before the wave has more failures than `maxFailures` allows. */
function work(snapshot: Snapshot, wave: WaveView, doubtful: number): Decision[] {
  const { busy, rollout } = snapshot
  const due = resumeWaiting(snapshot)
  if (due.length > 0) return due
  const running = busy.filter(({ retryDate }) => retryDate === null).length
  // a host that was tried and waits for a retry may fail; one that is waited for was not touched
  const tried = busy.filter(({ waitingSince }) => waitingSince === null).length
  const capacity = Math.min(rollout.maxParallel - running, doubtful - tried)
  const next = snapshot.pending(wave.number)
  const startable = next.filter(({ isWindowBound }) => isWindowBound === 0 || !isClosed(snapshot))
  if (capacity > 0 && startable.length > 0)
    return startable.slice(0, capacity).map((target) => attempt(snapshot, target, 'Install'))
  if (next.length > 0) return startable.length === 0 ? pauseForWindow(snapshot) : []
  if (busy.length > 0) return isClosed(snapshot) && busy.every(waitsForWindow) ? pauseForWindow(snapshot) : []
  return rollout.soakSeconds > 0 && snapshot.unverified(wave.number).length > 0
    ? [
        {
          kind: 'changeWave',
          number: wave.number,
          state: 'Soaking',
          soakUntil: snapshot.now + rollout.soakSeconds * 1000,
        },
      ]
    : passGate(snapshot, wave)
}

const waitsForWindow = ({ retryDate, isWindowBound }: TargetView): boolean => retryDate !== null && isWindowBound === 1

/** After the soak every host of the wave is verified again. */
function soak(snapshot: Snapshot, wave: WaveView): Decision[] {
  const { now, busy, rollout } = snapshot
  if (now < (wave.soakUntil ?? 0)) return []
  const due = resumeWaiting(snapshot)
  if (due.length > 0) return due
  const next = snapshot.unverified(wave.number)
  const capacity = rollout.maxParallel - busy.length
  if (next.length > 0) return next.slice(0, Math.max(0, capacity)).map((target) => attempt(snapshot, target, 'Verify'))
  return busy.length > 0 ? [] : passGate(snapshot, wave)
}

function passGate({ waves, rollout, counts }: Snapshot, wave: WaveView): Decision[] {
  const isLast = wave.number === waves.at(-1)?.number
  if (rollout.promotion === 'manual' && !isLast)
    return [
      { kind: 'changeWave', number: wave.number, state: 'AwaitingPromotion' },
      {
        kind: 'changeRollout',
        state: 'Paused',
        pauseReason: 'Promotion',
        reason: `wave ${wave.number} has passed; promote the rollout to start the next`,
      },
    ]
  return [{ kind: 'changeWave', number: wave.number, state: passedState(rollout, wave, counts.get(wave.number)) }]
}

/** A wave with more failures than allowed, which an operator accepted, is still Failed. */
export const passedState = (
  { maxFailures }: Pick<RolloutView, 'maxFailures'>,
  { size }: Pick<WaveView, 'size'>,
  counts: Counts | undefined,
): WaveState => (countOf(counts, failedStates) > allowedFailures(maxFailures, size) ? 'Failed' : 'Succeeded')

function failWave({ rollout }: Snapshot, wave: WaveView, pauseReason: PauseReason, reason: string): Decision[] {
  const failed: Decision = { kind: 'changeWave', number: wave.number, state: 'Failed' }
  if (rollout.onFailure === 'pause') return [failed, { kind: 'changeRollout', state: 'Paused', pauseReason, reason }]
  const rollBackScope = rollout.onFailure === 'rollBackWave' ? 'wave' : 'all'
  return [failed, { kind: 'changeRollout', state: 'RollingBack', rollBackScope, reason }]
}

/** Targets that waited for a retry or for their host, and whose time has come. */
function resumeWaiting(snapshot: Snapshot): Decision[] {
  const { busy, now, rollout } = snapshot
  const running = busy.filter(({ retryDate }) => retryDate === null).length
  return busy
    .filter(({ retryDate }) => retryDate !== null && retryDate <= now)
    .filter(({ phase, isWindowBound }) => phase !== 'Install' || isWindowBound === 0 || !isClosed(snapshot))
    .slice(0, Math.max(0, rollout.maxParallel - running))
    .map((target) => attempt(snapshot, target, target.phase))
}

/** Starts a target whose host can be worked on; for another host the rollout's `unreachable` decides. */
function attempt({ now, rollout }: Snapshot, target: TargetView, phase: TargetPhase): Decision {
  const end = (state: TargetState, reason: string): Decision => ({ kind: 'endTarget', target, phase, state, reason })
  const isRestored = phase === 'Restore'
  if (target.isGone) return end(isRestored ? 'RollbackFailed' : 'Skipped', 'the host was removed from Wharf')
  const { unreachable: reason } = target
  if (reason === undefined) return { kind: 'startTarget', target, phase }
  const failed = isRestored ? 'RollbackFailed' : 'Unreachable'
  if (rollout.unreachable === 'skip' && phase === 'Install') return end('Skipped', reason)
  if (rollout.unreachable === 'wait') {
    const waitingSince = target.phase === phase ? (target.waitingSince ?? now) : now
    if (now - waitingSince >= rollout.targetDeadlineSeconds * 1000)
      return end(failed, `${reason}; it did not become reachable within ${rollout.targetDeadlineSeconds} s`)
    return {
      kind: 'postponeTarget',
      target,
      phase,
      retryDate: now + waitPollMs,
      isAttempt: false,
      waitingSince,
      reason,
    }
  }
  const attempts = target.phase === phase ? target.attempts : 0
  if (attempts >= rollout.retries) return end(failed, reason)
  const retryDate = now + retryPauseMs
  return { kind: 'postponeTarget', target, phase, retryDate, isAttempt: true, waitingSince: null, reason }
}

/** Needs no waves and no soak. Targets that still run finish, and are restored like the others. */
function rollBack(snapshot: Snapshot): Decision[] {
  const { busy, rollout, changed, counts, waves } = snapshot
  if (hasPending(counts)) return [{ kind: 'skipPending' }]
  const waiting = busy.filter(({ phase, retryDate }) => phase !== 'Restore' && retryDate !== null)
  if (waiting.length > 0) return waiting.map(abandon)
  const due = resumeWaiting(snapshot)
  if (due.length > 0) return due
  const capacity = Math.max(0, rollout.maxParallel - busy.length)
  if (changed.length > 0) return changed.slice(0, capacity).map((target) => attempt(snapshot, target, 'Restore'))
  if (busy.length > 0) return []
  const isFailed = [...counts.values()].some((ofWave) => countOf(ofWave, ['RollbackFailed']) > 0)
  return [
    ...waves.flatMap(({ number, state }): Decision[] => {
      if (countOf(counts.get(number), ['RolledBack']) > 0) return [{ kind: 'changeWave', number, state: 'RolledBack' }]
      return finished.includes(state) ? [] : [{ kind: 'changeWave', number, state: 'Skipped' }]
    }),
    { kind: 'changeRollout', state: isFailed ? 'RollbackFailed' : 'RolledBack' },
  ]
}

/** A target that waits without a job ends as what it is without another attempt. */
const abandon = (target: TargetView): Decision => ({
  kind: 'endTarget',
  target,
  phase: target.phase,
  state: target.phase === 'Install' ? 'Skipped' : target.phase === 'Verify' ? 'Unreachable' : 'RollbackFailed',
  reason: null,
})

const hasPending = (counts: Snapshot['counts']): boolean =>
  [...counts.values()].some((ofWave) => countOf(ofWave, ['Pending']) > 0)

function stop({ busy, counts, waves, rollout }: Snapshot, mode: 'finish' | 'cancel'): Decision[] {
  if (hasPending(counts)) return [{ kind: 'skipPending' }]
  const waiting = busy.filter(({ retryDate }) => retryDate !== null)
  if (waiting.length > 0) return waiting.map(abandon)
  const running = mode === 'cancel' ? busy.filter(({ isCancelled }) => !isCancelled) : []
  if (busy.length > 0) return running.map((target) => ({ kind: 'cancelTarget', target }))
  return [
    ...waves
      .filter(({ state }) => !finished.includes(state))
      .map(({ number, size, state }): Decision => {
        const ofWave = counts.get(number)
        const isComplete = state !== 'Pending' && countOf(ofWave, ['Skipped', 'RolledBack']) === 0
        return { kind: 'changeWave', number, state: isComplete ? passedState(rollout, { size }, ofWave) : 'Skipped' }
      }),
    { kind: 'changeRollout', state: 'Stopped' },
  ]
}
