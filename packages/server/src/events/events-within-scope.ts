import { isInScope } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import type { CallerScope } from '@wharf/database/scope-conditions.ts'
import { findInside, isScopedType } from '@wharf/database/scoped-reads.ts'
import type { RecordedChange } from './outbox.ts'

/** Those of the events whose records are within the scope now, or were when they were deleted. */
export async function eventsWithin(
  database: Database,
  scope: CallerScope,
  changes: readonly RecordedChange[],
): Promise<readonly RecordedChange[]> {
  const isChecked = ({ resourceType, type }: RecordedChange): boolean =>
    isScopedType(resourceType) && type !== 'Deleted'
  const inside = await findInside(database, scope, changes.filter(isChecked))
  return changes.filter((change) => {
    if (!isScopedType(change.resourceType)) return true
    return change.type === 'Deleted' ? wasInside(scope, change) : inside.has(change.uuid)
  })
}

function wasInside({ conditions }: CallerScope, { hostLabels }: RecordedChange): boolean {
  if (hostLabels === null) return false
  return (JSON.parse(hostLabels) as Record<string, string>[]).every((labels) => isInScope(conditions, labels))
}
