import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobState } from '@wharf/contract'
import { jobTimeline, type RunnerLine } from './job-timeline.ts'

const names = ['copy', 'run', 'verify']

/** `30 step run` is a line at 30 ms; its number is its position. */
const linesOf = (...texts: string[]): RunnerLine[] =>
  texts.map((text, index) => {
    const [at = '', kind = '', ...rest] = text.split(' ')
    return { sequence: index + 1, at: Number(at), kind, line: [kind, ...rest].join(' ') }
  })

const job = (state: JobState, lastOpDate = 100, errorCode: string | null = null, position = 0) => ({
  state,
  position,
  lastOpDate,
  errorCode,
})

/** `name state start-end undoState undoStart-undoEnd`, with – for unknown. */
const shown = (row: ReturnType<typeof job>, lines: RunnerLine[]): string[] =>
  jobTimeline(row, names, lines).steps.map((step) => {
    const undo = step.undoState === null ? '' : ` ${step.undoState} ${step.undoStartedAt}-${step.undoEndedAt ?? '–'}`
    return `${step.name} ${step.state} ${step.startedAt ?? '–'}-${step.endedAt ?? '–'}${undo}`
  })

const cases: { name: string; row: ReturnType<typeof job>; lines: RunnerLine[]; want: string[] }[] = [
  {
    name: 'a waiting job',
    row: job('Waiting'),
    lines: [],
    want: ['copy Pending –-–', 'run Pending –-–', 'verify Pending –-–'],
  },
  {
    name: 'a job whose first line is not written yet',
    row: job('Running'),
    lines: [],
    want: ['copy Pending –-–', 'run Pending –-–', 'verify Pending –-–'],
  },
  { name: 'a running job of an older version', row: job('Running', 100, null, 1), lines: [], want: [] },
  { name: 'a job that succeeded in an older version', row: job('Succeeded'), lines: [], want: [] },
  {
    name: 'a running job',
    row: job('Running'),
    lines: linesOf('10 step copy', '30 step run'),
    want: ['copy Succeeded 10-30', 'run Running 30-–', 'verify Pending –-–'],
  },
  {
    name: 'a job that succeeded',
    row: job('Succeeded', 90),
    lines: linesOf('10 step copy', '30 step run', '60 step verify'),
    want: ['copy Succeeded 10-30', 'run Succeeded 30-60', 'verify Succeeded 60-90'],
  },
  {
    name: 'a failed job whose steps were undone',
    row: job('Failed', 99, 'SYS.1016'),
    lines: linesOf('10 step copy', '30 step run', '50 failure', '50 failure', '52 undo run', '70 undo copy'),
    want: ['copy Succeeded 10-30 Undone 70-99', 'run Failed 30-50 Undone 52-70', 'verify Skipped –-–'],
  },
  {
    name: 'a job that is being undone',
    row: job('Undoing', 53, 'SYS.1016'),
    lines: linesOf('10 step copy', '30 step run', '50 failure', '52 undo copy'),
    want: ['copy Succeeded 10-30 Undoing 52-–', 'run Failed 30-50', 'verify Pending –-–'],
  },
  {
    name: 'a cancelled job',
    row: job('Cancelled', 51, 'SYS.1017'),
    lines: linesOf('10 step copy', '30 failure'),
    want: ['copy Cancelled 10-30', 'run Skipped –-–', 'verify Skipped –-–'],
  },
  {
    name: 'an undo that failed',
    row: job('Failed', 80, 'SYS.1016'),
    lines: linesOf('10 step copy', '30 failure', '31 undo copy', '60 undoFailure'),
    want: ['copy Failed 10-30 UndoFailed 31-60', 'run Skipped –-–', 'verify Skipped –-–'],
  },
  {
    name: 'a step that started again after a crash',
    row: job('Running'),
    lines: linesOf('10 step copy', '30 step run', '60 step run', '80 step verify'),
    want: ['copy Succeeded 10-30', 'run Succeeded 30-80', 'verify Running 80-–'],
  },
  {
    name: 'a step of another version',
    row: job('Succeeded', 60),
    lines: linesOf('10 step fetch', '20 step copy'),
    want: ['copy Succeeded 20-60', 'run Skipped –-–', 'verify Skipped –-–', 'fetch Succeeded 10-20'],
  },
  {
    name: 'a job that failed before its first step',
    row: job('Failed', 10, 'SYS.1001'),
    lines: linesOf('10 failure'),
    want: ['copy Skipped –-–', 'run Skipped –-–', 'verify Skipped –-–'],
  },
]

for (const { name, row, lines, want } of cases) test(name, () => assert.deepEqual(shown(row, lines), want))

test('the lines of a step, of its undo and of the failure are known', () => {
  const lines = linesOf('10 step copy', '30 failure', '30 failure', '31 undo copy')
  const { steps, ...failure } = jobTimeline(job('Failed'), names, lines)
  assert.deepEqual([steps[0]?.logLine, steps[0]?.undoLogLine], [1, 4])
  assert.deepEqual(failure, { failureFirstLine: 2, failureLastLine: 3 })
})

test('of two failures, the lines of the last one are known', () => {
  const lines = linesOf('10 step copy', '30 failure', '31 step copy', '40 failure', '40 failure', '41 undo copy')
  const { steps: _, ...failure } = jobTimeline(job('Failed'), names, lines)
  assert.deepEqual(failure, { failureFirstLine: 4, failureLastLine: 5 })
})
