import { isInScope, maxLabels } from '@wharf/contract'
import { scopeText } from '@wharf/database/scope-conditions.ts'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Caller } from '../../calls/caller.ts'
import type { HostRow, Labels } from './store.ts'

export interface LabelChange {
  /** Set, beside those that the host has. */
  readonly labels?: Labels | undefined
  readonly removeLabels?: readonly string[] | undefined
}

/** The map in the column, in the order of the names. */
export const labelText = (labels: Labels = {}): string =>
  JSON.stringify(Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))))

export const labelsOf = ({ labels }: Pick<HostRow, 'labels'>): Labels => JSON.parse(labels) as Labels

/** The record as answers have it. */
export const hostInventory = (row: HostRow) => ({ ...row, labels: labelsOf(row) })

/** Removing a label that the host does not have is not an error, so that a call can be repeated. */
export function changedLabels(current: Labels, { labels = {}, removeLabels = [] }: LabelChange): Labels {
  const both = removeLabels.find((name) => Object.hasOwn(labels, name))
  if (both !== undefined) throw invalid(`label ${both} is in labels and in removeLabels; send it in one of them`)
  const removed = new Set(removeLabels)
  const kept = Object.entries(current).filter(([name]) => !removed.has(name))
  const changed = { ...Object.fromEntries(kept), ...labels }
  const count = Object.keys(changed).length
  if (count > maxLabels)
    throw invalid(
      `labels: the host would have ${count} labels, and at most ${maxLabels} are possible; remove some first`,
    )
  return changed
}

/** Whether the host exists for the caller. */
export const isHostInScope = (host: Pick<HostRow, 'labels'>, { scope }: Pick<Caller, 'scope'>): boolean =>
  scope === undefined || isInScope(scope.conditions, labelsOf(host))

/** A caller with a scope cannot move a host out of it, and lose the host or give it to others. */
export function refuseLeavingScope(changed: Partial<Pick<HostRow, 'labels'>>, { scope }: Pick<Caller, 'scope'>): void {
  const { labels } = changed
  if (labels === undefined || scope === undefined || isHostInScope({ labels }, { scope })) return
  throw new ApiError(
    'ID.1002',
    `labels: the host would leave the scope of the caller (${scopeText(scope)}); keep these labels, or let a caller without this scope change them`,
  )
}
