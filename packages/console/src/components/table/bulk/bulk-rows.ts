import type { ApiCall } from '../../copy-command/command-text.ts'
import type { BulkAction, Preparation } from './bulk-action.ts'
import { forEachLimited } from './for-each-limited.ts'

/** A record of a bulk action, and how far the action is. */
export interface BulkRow<R> {
  readonly key: string
  readonly record: R
  readonly state: RowState
}

export type RowState =
  | { readonly kind: 'preparing' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'ready'; readonly prepared: unknown; readonly note?: string | undefined }
  | { readonly kind: 'running'; readonly prepared: unknown }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly prepared: unknown }

export type SetRowState = (key: string, state: RowState) => void

/** The rows of a selection: records that the action does not apply to are skipped, with the reason. */
export function newRows<R>(
  { problem, prepare }: BulkAction<R>,
  records: readonly R[],
  keyOf: (record: R) => string,
): BulkRow<R>[] {
  return records.map((record) => {
    const reason = problem?.(record)
    const ready: RowState = prepare ? { kind: 'preparing' } : { kind: 'ready', prepared: undefined }
    return { key: keyOf(record), record, state: reason === undefined ? ready : { kind: 'skipped', reason } }
  })
}

/** Prepares the rows that wait for it; a record whose preparation fails is skipped. */
export async function prepareRows<R>(
  { prepare }: BulkAction<R>,
  rows: readonly BulkRow<R>[],
  setState: SetRowState,
  signal: AbortSignal,
  textOfError: (error: unknown) => string,
): Promise<void> {
  const waiting = rows.filter(({ state }) => state.kind === 'preparing')
  await forEachLimited(waiting, signal, async ({ key, record }) => {
    const found: Preparation<unknown> | undefined = await prepare?.(record, signal).catch((error: unknown) => ({
      problem: textOfError(error),
    }))
    if (signal.aborted) return
    if (found?.problem !== undefined) setState(key, { kind: 'skipped', reason: found.problem })
    else setState(key, { kind: 'ready', prepared: found?.value, note: found?.note })
  })
}

/** The rows that failed are ready to run once more. */
export const readyAgain = <R>(rows: readonly BulkRow<R>[]): BulkRow<R>[] =>
  rows.map((row) =>
    row.state.kind === 'failed' ? { ...row, state: { kind: 'ready', prepared: row.state.prepared } } : row,
  )

/** Runs the action for the rows that are ready. Aborting leaves the rest as it is. */
export async function runRows<R>(
  { run }: BulkAction<R>,
  rows: readonly BulkRow<R>[],
  setState: SetRowState,
  signal: AbortSignal,
): Promise<void> {
  await forEachLimited(rows, signal, async ({ key, record, state }) => {
    if (state.kind !== 'ready') return
    const { prepared } = state
    setState(key, { kind: 'running', prepared })
    try {
      await run(record, prepared)
      setState(key, { kind: 'succeeded' })
    } catch (error) {
      setState(key, { kind: 'failed', error, prepared })
    }
  })
}

/** The calls for the rows that are ready. */
export const readyCalls = <R>({ operation, inputOf }: BulkAction<R>, rows: readonly BulkRow<R>[]): ApiCall[] =>
  rows.flatMap(({ record, state }) =>
    state.kind === 'ready' ? [{ operation, input: inputOf(record, state.prepared) }] : [],
  )

export const countOf = (rows: readonly BulkRow<unknown>[], ...kinds: RowState['kind'][]): number =>
  rows.filter(({ state }) => kinds.includes(state.kind)).length
