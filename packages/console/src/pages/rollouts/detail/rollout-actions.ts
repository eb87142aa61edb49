import { allowedRolloutActions, type PauseReason, type RolloutState } from '@wharf/contract'

export type RolloutAction = keyof typeof allowedRolloutActions

export interface ActedRollout {
  readonly state: RolloutState
  readonly pauseReason: PauseReason | null
  readonly stopMode: string | null
  readonly promotion: string
  readonly userUuid: string
  readonly currentWave: number | null
  readonly failedCount: number
}

export interface Actor {
  readonly uuid: string
  readonly role: string
}

/** Why the server would refuse an action; `state` has the states that allow it. */
export type ActionProblem =
  | { readonly kind: 'state'; readonly allowed: readonly RolloutState[] }
  | {
      readonly kind:
        | 'stopping'
        | 'ownRollout'
        | 'isPaused'
        | 'awaitsPromotion'
        | 'awaitsWindow'
        | 'notAwaitingPromotion'
        | 'notStarted'
        | 'noFailures'
    }

/** The actions of a rollout: approval only while it is awaited, promotion only when it was created with it. */
export const actionsOf = ({ state, promotion }: ActedRollout): RolloutAction[] => [
  ...(state === 'AwaitingApproval' ? (['approve', 'deny'] as const) : []),
  ...(promotion === 'manual' ? (['promote'] as const) : []),
  'pause',
  'resume',
  'retry',
  'stop',
  'roll back',
  'delete',
]

export function problemOf(
  action: RolloutAction,
  rollout: ActedRollout,
  actor: Actor | undefined,
): ActionProblem | undefined {
  const { state, pauseReason, stopMode } = rollout
  const allowed: readonly RolloutState[] = allowedRolloutActions[action]
  if (!allowed.includes(state)) return { kind: 'state', allowed }
  if (stopMode !== null && action !== 'stop' && action !== 'delete') return { kind: 'stopping' }
  switch (action) {
    case 'approve':
      return actor?.uuid === rollout.userUuid ? { kind: 'ownRollout' } : undefined
    case 'pause':
      return state === 'Paused' && pauseReason !== 'Window' ? { kind: 'isPaused' } : undefined
    case 'resume':
      if (pauseReason === 'Promotion') return { kind: 'awaitsPromotion' }
      // an admin may ignore the window
      return pauseReason === 'Window' && actor?.role !== 'admin' ? { kind: 'awaitsWindow' } : undefined
    case 'promote':
      return pauseReason === 'Promotion' ? undefined : { kind: 'notAwaitingPromotion' }
    case 'retry':
      if (rollout.currentWave === null) return { kind: 'notStarted' }
      return rollout.failedCount === 0 ? { kind: 'noFailures' } : undefined
    default:
      return undefined
  }
}
