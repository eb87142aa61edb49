import { activeRolloutStates } from '@wharf/contract'

export const rolloutViews = ['all', 'active', 'waiting'] as const
export type RolloutView = (typeof rolloutViews)[number]

/** The view in the URL; all rollouts when it names none. */
export const viewIn = (search: URLSearchParams): RolloutView =>
  rolloutViews.find((view) => view === search.get('view')) ?? 'all'

/** `waiting` are those that need an operator, now or later. */
export function conditionsOfView(view: RolloutView): string[] {
  if (view === 'active') return [`state?=${activeRolloutStates.join(',')}`]
  return view === 'waiting' ? ['state?=AwaitingApproval,Paused'] : []
}
