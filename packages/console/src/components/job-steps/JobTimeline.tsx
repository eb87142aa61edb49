import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import type { JobStepState, JobUndoState } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import './job-timeline.css'
import { messages } from './messages.ts'
import { type Bar, type TimelineRow, timelineBars } from './timeline-bars.ts'
import { useJobSteps } from './use-job-steps.ts'
import { useStepTitle } from './use-step-title.ts'

const indicators: Readonly<Record<JobStepState | JobUndoState, StatusIndicatorProps.Type>> = {
  Pending: 'pending',
  Running: 'in-progress',
  Succeeded: 'success',
  Failed: 'error',
  Cancelled: 'stopped',
  Undoing: 'in-progress',
  Undone: 'stopped',
  UndoFailed: 'error',
  Skipped: 'stopped',
}

const tickMs = 1000

/** The steps of a job as a timeline: a bar per step with its duration. The list of states and durations replaces the bars for screen readers. */
export function JobTimeline({ jobUuid, operation }: { jobUuid: string; operation: string }) {
  const t = useMessages(messages)
  const { steps } = useJobSteps(jobUuid)
  const now = useNow(steps.some(({ state, undoState }) => state === 'Running' || undoState === 'Undoing'))
  // a call that was refused has a job without steps
  if (steps.length === 0) return null
  return (
    <Container header={<Header variant="h2">{t.steps}</Header>}>
      <ol className="timeline" aria-label={t.steps}>
        {timelineBars(steps, now).map((row) => (
          <TimelineItem key={row.step.name} row={row} operation={operation} />
        ))}
      </ol>
    </Container>
  )
}

function TimelineItem({ row: { step, run, undo }, operation }: { row: TimelineRow; operation: string }) {
  const t = useMessages(messages)
  const format = useFormat()
  const stepTitle = useStepTitle()
  const { name = '', state = 'Pending', undoState } = step
  return (
    <li className="timeline-row">
      <span className="timeline-title">{stepTitle(operation, name)}</span>
      <span className="timeline-state">
        <StatusIndicator type={indicators[state]}>{t.states[state]}</StatusIndicator>
        {undoState ? (
          <span className="timeline-undo">
            <StatusIndicator type={indicators[undoState]}>{t.states[undoState]}</StatusIndicator>
          </span>
        ) : null}
      </span>
      <span className="timeline-duration">
        {run ? format.duration(run.durationMs) : '–'}
        {undo ? <span className="timeline-undo">{format.duration(undo.durationMs)}</span> : null}
      </span>
      <span className="timeline-track" aria-hidden="true">
        {run ? <TimelineBar bar={run} kind={barKind(state)} /> : null}
        {undo ? <TimelineBar bar={undo} kind={undoState === 'UndoFailed' ? 'failed' : 'undo'} /> : null}
      </span>
    </li>
  )
}

const barKind = (state: JobStepState): string =>
  state === 'Running' || state === 'Succeeded' || state === 'Failed' ? state.toLowerCase() : 'stopped'

const TimelineBar = ({ bar: { startPercent, widthPercent }, kind }: { bar: Bar; kind: string }) => (
  <span
    className={`timeline-bar timeline-bar-${kind}`}
    style={{ insetInlineStart: `min(${startPercent}%, calc(100% - 3px))`, inlineSize: `${widthPercent}%` }}
  />
)

/** The time, every second while something runs. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
