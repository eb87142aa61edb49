import { memo } from 'react'
import type { Translation } from '../../i18n/messages.ts'
import type { TimeZoneChoice } from '../../i18n/time-zone.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { lineTime } from './line-time.ts'
import { failureCode, type LogHeadings } from './log-headings.ts'
import type { LogLine } from './log-pages.ts'
import { type MatchSpan, matchSpans } from './match-spans.ts'
import { messages } from './messages.ts'
import { spanStyle } from './span-style.ts'
import { styledSpans } from './styled-spans.ts'

/** The code of a cancelled job, which is not an error. */
const cancelled = 'SYS.1017'

export interface LogRowProps {
  readonly number: number
  /** Undefined while it is loaded. */
  readonly line: LogLine | undefined
  readonly headings: LogHeadings
  /** Undefined: no time is shown. */
  readonly zone: TimeZoneChoice | undefined
  readonly searched: string
  readonly isCurrent: boolean
}

/** One line of the log. */
export const LogRow = memo(function LogRow({ number, line, headings, zone, searched, isCurrent }: LogRowProps) {
  const t = useMessages(messages)
  const kind = headings.kinds.get(number)
  const code = kind === 'failure' && line ? failureCode(line.line) : undefined
  const title = headings.titles.get(number) ?? (kind && line && failureTitle(t, code))
  const kindClass = kind && code !== cancelled && `log-${kind}`
  const classes = ['log-row', kind && 'log-heading', kindClass, isCurrent && 'log-current']
  return (
    <div className={classes.filter(Boolean).join(' ')} data-number={number}>
      {line && zone ? (
        <time className="log-time" dateTime={line.time}>
          {lineTime(line.time, zone)}
        </time>
      ) : null}
      <span className="log-text">{line ? <LineText text={title ?? line.line} searched={searched} /> : '…'}</span>
    </div>
  )
})

function failureTitle(t: Translation<(typeof messages)['en']>, code: string | undefined): string {
  if (code === cancelled) return t.cancelled
  return code === undefined ? t.failed : t.failedWith(code)
}

const LineText = ({ text, searched }: { text: string; searched: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line do not change
  matchSpans(styledSpans(text), searched).map((span, index) => <SpanText key={index} span={span} />)

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
