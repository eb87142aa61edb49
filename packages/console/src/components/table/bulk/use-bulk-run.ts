import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../error-text.ts'
import type { BulkAction } from './bulk-action.ts'
import { type BulkPhase, phaseOf } from './bulk-phase.ts'
import { type BulkRow, countOf, newRows, prepareRows, type RowState, readyAgain, runRows } from './bulk-rows.ts'

export interface BulkRun<R> {
  readonly rows: readonly BulkRow<R>[]
  readonly phase: BulkPhase
  /** Runs the rows that are ready; after that, those that failed. */
  readonly start: () => void
  /** Starts no further row. */
  readonly stop: () => void
}

/** The rows of a bulk action on a selection, as they are prepared and run. */
export function useBulkRun<R>(action: BulkAction<R>, records: readonly R[], keyOf: (record: R) => string): BulkRun<R> {
  const [rows, setRows] = useState(() => newRows(action, records, keyOf))
  const [isPreparing, setPreparing] = useState(true)
  const [isRunning, setRunning] = useState(false)
  const [hasStarted, setStarted] = useState(false)
  const [isStopped, setStopped] = useState(false)
  const stopped = useRef(new AbortController())
  const setState = (key: string, state: RowState): void =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, state } : row)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the selection that the dialog was opened with
  useEffect(() => {
    const closed = new AbortController()
    void prepareRows(action, rows, setState, closed.signal, errorText).then(() => {
      if (!closed.signal.aborted) setPreparing(false)
    })
    return () => {
      closed.abort()
      stopped.current.abort()
    }
  }, [])
  const start = async (): Promise<void> => {
    stopped.current = new AbortController()
    setStarted(true)
    setStopped(false)
    setRunning(true)
    const next = countOf(rows, 'ready') > 0 ? rows : readyAgain(rows)
    setRows(next)
    await runRows(action, next, setState, stopped.current.signal)
    setRunning(false)
  }
  return {
    rows,
    phase: phaseOf(rows, { isPreparing, hasStarted, isRunning, isStopped }),
    start: () => void start(),
    stop: () => {
      stopped.current.abort()
      setStopped(true)
    },
  }
}
