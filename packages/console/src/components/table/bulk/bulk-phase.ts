import { type BulkRow, countOf } from './bulk-rows.ts'

/** In `ending`, rows are running and no further row starts. */
export type BulkPhase = 'preparing' | 'confirm' | 'running' | 'ending' | 'finished'

interface BulkProgress {
  readonly isPreparing: boolean
  readonly hasStarted: boolean
  readonly isRunning: boolean
  readonly isStopped: boolean
}

/** What the dialog of a bulk action shows. */
export function phaseOf(
  rows: readonly BulkRow<unknown>[],
  { isPreparing, hasStarted, isRunning, isStopped }: BulkProgress,
): BulkPhase {
  if (isRunning) return isStopped || countOf(rows, 'ready') === 0 ? 'ending' : 'running'
  if (hasStarted) return 'finished'
  return isPreparing ? 'preparing' : 'confirm'
}
