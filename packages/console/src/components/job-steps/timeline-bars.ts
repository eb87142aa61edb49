import type { JobStep } from './use-job-steps.ts'

/** A part of the timeline, in percent of its length. */
export interface Bar {
  readonly startPercent: number
  readonly widthPercent: number
  readonly durationMs: number
}

export interface TimelineRow {
  readonly step: JobStep
  /** Undefined for a step that has not started. */
  readonly run: Bar | undefined
  readonly undo: Bar | undefined
}

const parse = (time: string | null | undefined): number | undefined => (time ? Date.parse(time) : undefined)

/** The bars of the steps from the first start to the last end; one that runs ends now. */
export function timelineBars(steps: readonly JobStep[], now: number): TimelineRow[] {
  const spans = steps.map((step) => ({
    step,
    run: spanOf(step.startTime, step.endTime, now),
    undo: spanOf(step.undoStartTime, step.undoEndTime, now),
  }))
  const all = spans.flatMap(({ run, undo }) => [run, undo]).filter((span) => span !== undefined)
  const first = Math.min(...all.map(({ from }) => from))
  const length = Math.max(...all.map(({ to }) => to)) - first
  const barOf = (span: Span | undefined): Bar | undefined =>
    span && {
      startPercent: length === 0 ? 0 : (100 * (span.from - first)) / length,
      widthPercent: length === 0 ? 100 : (100 * (span.to - span.from)) / length,
      durationMs: span.to - span.from,
    }
  return spans.map(({ step, run, undo }) => ({ step, run: barOf(run), undo: barOf(undo) }))
}

interface Span {
  readonly from: number
  readonly to: number
}

/** The clock of the browser may be behind that of the server: nothing ends before it starts. */
function spanOf(start: string | null | undefined, end: string | null | undefined, now: number): Span | undefined {
  const from = parse(start)
  return from === undefined ? undefined : { from, to: Math.max(from, parse(end) ?? now) }
}
