import { busyTargetStates, failedTargetStates, type TargetState, targetStates } from '@wharf/contract'

/** What a state means for the wave; states of a group have one colour. */
export type StateGroup = 'pending' | 'busy' | 'succeeded' | 'failed' | 'skipped' | 'restored'

const includes = (states: readonly TargetState[], state: TargetState): boolean => states.includes(state)

export function groupOf(state: TargetState): StateGroup {
  if (state === 'Pending') return 'pending'
  if (includes(busyTargetStates, state)) return 'busy'
  if (includes(failedTargetStates, state)) return 'failed'
  if (state === 'Skipped') return 'skipped'
  return state === 'RolledBack' ? 'restored' : 'succeeded'
}

/** Colour is not the only cue: each state has a sign of its own. */
export const signs: Readonly<Record<TargetState, string>> = {
  Pending: '',
  Waiting: '…',
  Transferring: '↓',
  Installing: '›',
  Verifying: '?',
  Succeeded: '✓',
  AlreadyInstalled: '=',
  Failed: '✕',
  TimedOut: 'T',
  Unreachable: 'U',
  Skipped: '–',
  RolledBack: '↶',
  RollbackFailed: '!',
}

interface CountedTarget {
  readonly state: TargetState
}

/** How many targets have each state, in the order in which a target has them; states that no target has are left out. */
export function countStates(targets: readonly CountedTarget[]): { state: TargetState; count: number }[] {
  const counts = new Map<TargetState, number>()
  for (const { state } of targets) counts.set(state, (counts.get(state) ?? 0) + 1)
  return targetStates.flatMap((state) => {
    const count = counts.get(state)
    return count === undefined ? [] : [{ state, count }]
  })
}

export type GroupCounts = Readonly<Record<StateGroup, number>>

export function countGroups(targets: readonly CountedTarget[]): GroupCounts {
  const counts = { pending: 0, busy: 0, succeeded: 0, failed: 0, skipped: 0, restored: 0 }
  for (const { state } of targets) counts[groupOf(state)]++
  return counts
}
