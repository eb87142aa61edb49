import { memo } from 'react'
import type { TimeZoneChoice } from '../../i18n/time-zone.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { useStepTitle } from '../job-steps/use-step-title.ts'
import { lineTime } from './line-time.ts'
import { failureCode, type LogHeading } from './log-headings.ts'
import type { LogLine } from './log-pages.ts'
import { type MatchSpan, matchSpans } from './match-spans.ts'
import { messages } from './messages.ts'
import { spanStyle } from './span-style.ts'
import { styledSpans } from './styled-spans.ts'

export interface LogRowProps {
  readonly number: number
  /** Undefined while it is loaded. */
  readonly line: LogLine | undefined
  readonly heading: LogHeading | undefined
  readonly operation: string
  /** Undefined: no time is shown. */
  readonly zone: TimeZoneChoice | undefined
  readonly searched: string
  readonly isCurrent: boolean
}

/** One line of the log. */
export const LogRow = memo(function LogRow({ number, line, heading, zone, isCurrent, ...rest }: LogRowProps) {
  const classes = ['log-row', heading && `log-heading log-${heading.kind}`, isCurrent && 'log-current']
  return (
    <div className={classes.filter(Boolean).join(' ')} data-number={number}>
      {line && zone ? (
        <time className="log-time" dateTime={line.time}>
          {lineTime(line.time, zone)}
        </time>
      ) : null}
      <span className="log-text">{line ? <LineText line={line} heading={heading} {...rest} /> : '…'}</span>
    </div>
  )
})

type LineTextProps = Pick<LogRowProps, 'heading' | 'operation' | 'searched'> & { line: LogLine }

function LineText({ line: { line }, heading, operation, searched }: LineTextProps) {
  const t = useMessages(messages)
  const stepTitle = useStepTitle()
  if (heading?.kind === 'step') return t.step(stepTitle(operation, heading.step))
  if (heading?.kind === 'undo') return t.undo(stepTitle(operation, heading.step))
  if (heading?.kind === 'failure') {
    const code = failureCode(line)
    if (code === 'SYS.1017') return t.cancelled
    return code === undefined ? t.failed : t.failedWith(code)
  }
  // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line do not change
  return matchSpans(styledSpans(line), searched).map((span, index) => <SpanText key={index} span={span} />)
}

function SpanText({ span: { text, style, isMatch } }: { span: MatchSpan }) {
  if (isMatch) return <mark>{text}</mark>
  return Object.keys(style).length === 0 ? (
    text
  ) : (
    <span className="log-span" style={spanStyle(style)}>
      {text}
    </span>
  )
}
