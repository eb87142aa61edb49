import type { AnswerOf, createRollout, PlanAction } from '@wharf/contract'

export type PlanEntry = NonNullable<AnswerOf<typeof createRollout>['plan']>[number]

export interface PlanSummary {
  readonly hosts: number
  readonly obstacles: number
  readonly bytes: number
  readonly actions: Readonly<Record<PlanAction, number>>
  /** The sizes of the waves, the first one first. */
  readonly waves: readonly number[]
}

export function summarizePlan(plan: readonly PlanEntry[]): PlanSummary {
  const actions = { Install: 0, Upgrade: 0, Downgrade: 0, None: 0 }
  const waves: number[] = []
  for (const { action, wave } of plan) {
    actions[action]++
    waves[wave - 1] = (waves[wave - 1] ?? 0) + 1
  }
  return {
    hosts: plan.length,
    obstacles: plan.filter(({ obstacle }) => obstacle !== null).length,
    bytes: plan.reduce((sum, { bytes }) => sum + bytes, 0),
    actions,
    // a wave without hosts has no entry
    waves: Array.from(waves, (size = 0) => size),
  }
}

/** With the position in which the table lists it at first: hosts with an obstacle before the others. */
export const positionedPlan = (plan: readonly PlanEntry[]): (PlanEntry & { readonly position: number })[] =>
  [...plan.filter(({ obstacle }) => obstacle !== null), ...plan.filter(({ obstacle }) => obstacle === null)].map(
    (entry, position) => ({ ...entry, position }),
  )
