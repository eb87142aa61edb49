import type { RolloutTargetInventory, RolloutWaveInventory } from '@wharf/sdk'
import { type Colours, paintState } from '../../output/colours.ts'
import { formatDuration } from '../../output/format-quantities.ts'
import { printable } from '../../output/printable.ts'
import { padded, shortened, widthOf } from '../../output/text-width.ts'
import {
  describeState,
  isActive,
  isBusy,
  isDone,
  isFailed,
  nextStep,
  onOneLine,
  type RolloutSnapshot,
  shortError,
} from './snapshot.ts'
import { waveBar } from './wave-bar.ts'

export interface ScreenStyle {
  readonly columns: number
  readonly rows: number
  readonly unicode: boolean
  readonly colours: Colours
  /** In milliseconds. */
  readonly now: number
  /** Parses a time of the server. */
  toTime(text: string): number
}

const maxBarWidth = 40
const minBarWidth = 6
const titleWidth = 10
const maxRunning = 8
const maxFailures = 5

/** The screen of `rollout watch`: a line for each wave, the running hosts and the latest failures. */
export function snapshotLines(snapshot: RolloutSnapshot, style: ScreenStyle): string[] {
  const { rollout, targets } = snapshot
  const all = [...targets.values()]
  const running = all.filter(isBusy).sort(byName)
  const failed = all.filter(isFailed).sort(latestFirst(style))
  const next = nextStep(rollout)
  // the error of the command repeats those of an ended one
  const ending = !isActive(rollout)
    ? []
    : [
        ...(rollout.pauseReason === null && rollout.reason === null ? [] : [stateLine(snapshot, style)]),
        ...(next === undefined ? [] : [fitted([{ text: next, paint: style.colours.dim }], style)]),
      ]
  // the cursor cannot return to lines above the screen
  const budget = Math.max(6, style.rows - 3 - ending.length)
  const runningLines = limited(
    hostLines(running, 'Running', style),
    Math.min(maxRunning, Math.floor(budget / 3)),
    style,
  )
  const failedLines = limited(
    hostLines(failed, 'Failures', style),
    Math.min(maxFailures, Math.floor(budget / 4)),
    style,
  )
  const sections = [runningLines, failedLines, ending].filter(({ length }) => length > 0)
  const used = sections.reduce((sum, { length }) => sum + length + 1, 0)
  const waves = waveLines(snapshot, Math.max(1, style.rows - 4 - used), style)
  const lines = [headerLine(snapshot, style), '', ...waves, ...sections.flatMap((section) => ['', ...section])]
  return lines.slice(0, Math.max(1, style.rows - 1))
}

interface Part {
  readonly text: string
  readonly paint?: ((text: string) => string) | undefined
}

/** One line that fits the terminal; one column stays free, because some terminals wrap after the last one. */
function fitted(parts: readonly Part[], { columns }: Pick<ScreenStyle, 'columns'>): string {
  let free = columns - 1
  let line = ''
  for (const { text, paint = (plain: string) => plain } of parts) {
    if (free <= 0) break
    const shown = shortened(printable(onOneLine(text)), free)
    free -= widthOf(shown)
    line += shown.trim() === '' ? shown : paint(shown)
  }
  return line.trimEnd()
}

function headerLine({ rollout, targets }: RolloutSnapshot, style: ScreenStyle): string {
  const { colours, now, toTime } = style
  const { name, softwareName, version, state, startDate, endDate } = rollout
  const hosts = [...targets.values()]
  const failed = hosts.filter(isFailed).length
  const end = endDate === null ? now : toTime(endDate)
  const gap = { text: '  ' }
  return fitted(
    [
      { text: name, paint: colours.bold },
      gap,
      { text: `${softwareName}@${version}` },
      gap,
      { text: state, paint: (text) => paintState(colours, text) },
      gap,
      { text: `${hosts.filter(isDone).length}/${hosts.length} hosts` },
      ...(failed > 0 ? [gap, { text: `${failed} failed`, paint: colours.red }] : []),
      ...(startDate === null ? [] : [gap, { text: formatDuration((end - toTime(startDate)) / 1000) }]),
    ],
    style,
  )
}

const marks: Readonly<Record<string, readonly [unicode: string, ascii: string]>> = {
  Pending: [' ', ' '],
  Running: ['●', '*'],
  Soaking: ['◔', 'o'],
  AwaitingPromotion: ['‖', '='],
  Succeeded: ['✓', '+'],
  Failed: ['✗', 'x'],
  Skipped: ['·', '.'],
  RolledBack: ['↺', '<'],
}

const colourOf = ({ green, red, yellow, dim }: Colours, state: string): ((text: string) => string) => {
  if (state === 'Succeeded') return green
  if (state === 'Failed') return red
  return state === 'Pending' || state === 'Skipped' ? dim : yellow
}

function waveLines({ rollout, waves, targets }: RolloutSnapshot, maxLines: number, style: ScreenStyle): string[] {
  const byWave = new Map<number, RolloutTargetInventory[]>(waves.map(({ number }) => [number, []]))
  for (const target of targets.values()) byWave.get(target.wave)?.push(target)
  const rows = waves.map((wave) => waveRow(wave, byWave.get(wave.number) ?? [], style))
  const widest = (column: 'label' | 'count' | 'state' | 'detail'): number =>
    Math.max(0, ...rows.map((row) => widthOf(row[column])))
  const widths = { label: widest('label'), count: widest('count'), state: widest('state'), detail: widest('detail') }
  const free = style.columns - 1 - (2 + widths.label + 2) - (2 + widths.count + 2 + widths.state)
  // the details of waves precede the length of the bar
  const width = Math.min(maxBarWidth, free, Math.max(minBarWidth, free - 2 - widths.detail))
  const barWidth = width >= minBarWidth ? width + 2 : 0
  const lines = rows.map(({ mark, label, count, state, detail, own }) => {
    const paint = colourOf(style.colours, state)
    const bar = barWidth > 0 ? `${waveBar(own, { ...style, width })}  ` : ''
    const parts = [
      { text: `${count.padStart(widths.count)}  ` },
      { text: state, paint },
      { text: detail === '' ? '' : padded('', widths.state - widthOf(state) + 2) + detail },
    ]
    const rest = fitted(parts, { columns: style.columns - widths.label - barWidth - 4 })
    return `${paint(mark)} ${padded(label, widths.label)}  ${bar}${rest}`
  })
  return around(lines, (rollout.currentWave ?? 1) - 1, maxLines, style)
}

function waveRow(wave: RolloutWaveInventory, own: readonly RolloutTargetInventory[], style: ScreenStyle) {
  const { number, size, state, soakUntil } = wave
  const count = (text: string, matches: (target: RolloutTargetInventory) => boolean): string[] => {
    const found = own.filter(matches).length
    return found > 0 ? [`${found} ${text}`] : []
  }
  const soak =
    state === 'Soaking' && soakUntil !== null
      ? [`${formatDuration(Math.max(0, style.toTime(soakUntil) - style.now) / 1000)} left`]
      : []
  const detail = [
    ...soak,
    ...count('failed', isFailed),
    ...count('skipped', (target) => target.state === 'Skipped'),
    ...count('rolled back', (target) => target.state === 'RolledBack'),
  ].join(', ')
  const [unicodeMark, asciiMark] = marks[state] ?? [' ', ' ']
  return {
    mark: style.unicode ? unicodeMark : asciiMark,
    label: `wave ${number}`,
    count: `${own.filter(isDone).length}/${size}`,
    state: state as string,
    detail,
    own,
  }
}

/** At most this many lines, with the current one among them. */
function around(lines: readonly string[], current: number, maxLines: number, style: ScreenStyle): string[] {
  if (lines.length <= maxLines) return [...lines]
  const shown = Math.max(1, maxLines - 2)
  const from = Math.max(0, Math.min(current - Math.floor(shown / 3), lines.length - shown))
  const note = (count: number, where: string): string[] =>
    count > 0 && maxLines > 2 ? [fitted([{ text: `${ellipsis(style)} ${count} ${where}` }], style)] : []
  return [
    ...note(from, 'earlier waves'),
    ...lines.slice(from, from + shown),
    ...note(lines.length - from - shown, 'later waves'),
  ]
}

/** A title beside the first line, and the hosts with their states in columns. */
function hostLines(targets: readonly RolloutTargetInventory[], title: string, style: ScreenStyle): string[] {
  const { colours, columns } = style
  const nameWidth = Math.min(
    Math.max(8, Math.floor(columns / 3)),
    Math.max(0, ...targets.slice(0, maxRunning).map(({ hostName }) => widthOf(printable(hostName)))),
  )
  const stateWidth = Math.max(12, ...targets.slice(0, maxRunning).map(({ state }) => state.length)) + 2
  return targets.map((target, index) =>
    fitted(
      [
        { text: padded(index === 0 ? title : '', titleWidth), paint: colours.dim },
        { text: padded(shortened(printable(target.hostName), nameWidth), nameWidth + 2) },
        { text: target.state, paint: (text) => paintState(colours, text) },
        { text: ' '.repeat(Math.max(2, stateWidth - target.state.length)) },
        { text: isFailed(target) ? shortError(target.error ?? '') : runningDetail(target, style) },
      ],
      style,
    ),
  )
}

function runningDetail({ attempts, startDate, error, state }: RolloutTargetInventory, style: ScreenStyle): string {
  const elapsed = startDate === null ? [] : [formatDuration((style.now - style.toTime(startDate)) / 1000)]
  const attempt = attempts > 1 ? [`attempt ${attempts}`] : []
  return [...elapsed, ...attempt, ...(state === 'Waiting' && error !== null ? [error] : [])].join('  ')
}

const ellipsis = ({ unicode }: ScreenStyle): string => (unicode ? '…' : '...')

function limited(lines: readonly string[], maxLines: number, style: ScreenStyle): string[] {
  if (lines.length <= maxLines) return [...lines]
  const shown = Math.max(0, maxLines - 1)
  const rest = `${padded('', titleWidth)}${ellipsis(style)} ${lines.length - shown} more`
  return [...lines.slice(0, shown), fitted([{ text: rest }], style)]
}

function stateLine({ rollout }: RolloutSnapshot, style: ScreenStyle): string {
  const { red, yellow } = style.colours
  const needsUser = ['Failures', 'Gate'].includes(rollout.pauseReason ?? '')
  return fitted([{ text: describeState(rollout), paint: needsUser ? red : yellow }], style)
}

const byName = (a: RolloutTargetInventory, b: RolloutTargetInventory): number => a.hostName.localeCompare(b.hostName)

const latestFirst =
  ({ toTime }: ScreenStyle) =>
  (a: RolloutTargetInventory, b: RolloutTargetInventory): number => {
    const at = ({ endDate }: RolloutTargetInventory): number => (endDate === null ? 0 : toTime(endDate))
    return at(b) - at(a) || byName(a, b)
  }
