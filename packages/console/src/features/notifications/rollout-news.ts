import { type AnswerOf, activeRolloutStates, type queryRollout } from '@wharf/contract'
import type { ReportedRolloutState, RolloutNotification } from './notification.ts'
import type { SeenRollouts } from './notification-store.ts'

export type RolloutRecord = NonNullable<AnswerOf<typeof queryRollout>['inventories']>[number]

/** More changed rollouts of one user are not expected at once. */
const maxChanged = 100
/** Of rollouts that did not change for long, the state is not remembered. */
const maxSeen = 200

/** The rollouts of a user that have changed since a time, the newest change first. */
export const changedRollouts = (userUuid: string, since: string) => ({
  q: [`userUuid=${userUuid}`, `lastOpDate>=${since}`],
  sort: '-lastOpDate',
  limit: maxChanged,
  fields: ['uuid,name,state,pauseReason,reason,endDate,lastOpDate'],
})

/** `Paused Failures`: what a user is notified of when it changes. */
const conditionOf = ({ state, pauseReason }: RolloutRecord): string =>
  pauseReason ? `${state} ${pauseReason}` : `${state}`

const isReported = ({ state }: RolloutRecord): boolean =>
  state === 'Paused' || !(activeRolloutStates as readonly (string | undefined)[]).includes(state)

/** The rollouts that have paused or ended since they were seen the last time. */
export function rolloutNews(
  rollouts: readonly RolloutRecord[],
  seen: SeenRollouts['states'],
  toDate: (time: string) => Date,
): RolloutNotification[] {
  return rollouts
    .filter((rollout) => isReported(rollout) && seen[rollout.uuid ?? ''] !== conditionOf(rollout))
    .map(({ uuid = '', name = '', state, pauseReason = null, reason, endDate, lastOpDate }) => {
      const time = endDate ?? lastOpDate
      return {
        rolloutUuid: uuid,
        name,
        state: state as ReportedRolloutState,
        pauseReason,
        at: time ? toDate(time).getTime() : 0,
        ...(reason ? { reason } : {}),
        isRead: false,
      }
    })
}

/** The states after these rollouts were handled, the newest first. */
export function seenAfter(rollouts: readonly RolloutRecord[], before: SeenRollouts['states']): SeenRollouts['states'] {
  const changed = Object.fromEntries(rollouts.map((rollout) => [rollout.uuid ?? '', conditionOf(rollout)]))
  return Object.fromEntries(Object.entries({ ...changed, ...before, ...changed }).slice(0, maxSeen))
}
