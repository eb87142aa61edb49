import { allowedRolloutActions, type PauseReason, type RolloutState, type WaveState } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { type Counts, passedState, type RolloutView, type WaveView } from './decide.ts'

/** What the action of an operator changes; the coordinator continues from there. */
export interface OperatorChange {
  readonly rollout: {
    readonly state?: RolloutState
    readonly pauseReason?: PauseReason | null
    readonly pausedUntil?: number | null
    readonly reason?: string | null
    readonly endDate?: number | null
  }
  readonly wave?: {
    readonly number: number
    readonly state: WaveState
    readonly acceptedFailures?: number
    readonly gateSince?: number
    readonly soakUntil?: null
    readonly endDate?: number | null
  }
}

type Subject = Pick<RolloutView, 'state' | 'pauseReason' | 'startAt' | 'stopMode' | 'maxFailures'> & {
  readonly name: string
  readonly startDate: number | null
}

type ActionName = keyof typeof allowedRolloutActions

const running = { state: 'Running', pauseReason: null, pausedUntil: null, reason: null } as const

const wrongState = ({ name, state }: Pick<Subject, 'name' | 'state'>, rule: string): ApiError =>
  new ApiError('SYS.1005', `rollout ${name} is ${state}; ${rule}`)

/** Refuses an action that the state does not allow, and every action but stop while it is being stopped. */
export function requireAction(rollout: Pick<Subject, 'name' | 'state' | 'stopMode'>, action: ActionName): void {
  const states: readonly RolloutState[] = allowedRolloutActions[action]
  if (!states.includes(rollout.state)) throw wrongState(rollout, `to ${action} it, it must be ${states.join(' or ')}`)
  if (rollout.stopMode !== null && action !== 'stop' && action !== 'delete')
    throw wrongState(rollout, 'it is being stopped; wait until it has ended')
}

/** When a rollout that may run does so. */
export const startState = (
  { startAt, startDate }: Pick<Subject, 'startAt' | 'startDate'>,
  now: number,
): RolloutState => (startDate === null && startAt !== null && startAt > now ? 'Scheduled' : 'Running')

export function pause(rollout: Subject, userName: string): OperatorChange {
  requireAction(rollout, 'pause')
  if (rollout.state === 'Paused' && rollout.pauseReason !== 'Window')
    throw wrongState(rollout, `it is paused already, for ${rollout.pauseReason}`)
  return {
    rollout: { state: 'Paused', pauseReason: 'Operator', pausedUntil: null, reason: `${userName} paused it` },
  }
}

/** The failures and alerts of the current wave are accepted. */
export function resume(
  rollout: Subject,
  wave: WaveView | undefined,
  { now, failures, ignoresWindow }: { now: number; failures: number; ignoresWindow: boolean },
): OperatorChange {
  requireAction(rollout, 'resume')
  if (rollout.pauseReason === 'Promotion') throw wrongState(rollout, 'it waits for promotion: promote it')
  if (rollout.pauseReason === 'Window' && !ignoresWindow)
    throw wrongState(
      rollout,
      'it resumes when its maintenance window opens; an admin can resume it now with ignoreWindow',
    )
  const change = { rollout: { ...running, state: startState(rollout, now) } }
  return wave?.state === 'Failed'
    ? { ...change, wave: { ...reopened(wave), acceptedFailures: failures, gateSince: now } }
    : change
}

const reopened = ({ number, soakUntil }: WaveView) => ({
  number,
  state: soakUntil === null ? ('Running' as const) : ('Soaking' as const),
  endDate: null,
})

export function promote(rollout: Subject, wave: WaveView | undefined, counts: Counts, now: number): OperatorChange {
  requireAction(rollout, 'promote')
  if (rollout.pauseReason !== 'Promotion' || wave === undefined)
    throw wrongState(rollout, `it is paused for ${rollout.pauseReason}, not for Promotion; resume it`)
  return {
    rollout: running,
    wave: { number: wave.number, state: passedState(rollout, wave, counts), endDate: now },
  }
}

/** The failed targets are pending again; the last wave that was started is, too. */
export function retry(rollout: Subject, wave: WaveView | undefined, now: number): OperatorChange {
  requireAction(rollout, 'retry')
  if (wave === undefined) throw wrongState(rollout, 'no host of it has been tried yet')
  const staysPaused = rollout.state === 'Paused' && ['Operator', 'Window'].includes(rollout.pauseReason ?? '')
  return {
    rollout: staysPaused ? {} : { ...running, endDate: null },
    wave: { number: wave.number, state: 'Running', soakUntil: null, gateSince: now, endDate: null },
  }
}
