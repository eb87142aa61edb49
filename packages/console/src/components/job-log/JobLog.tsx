import Button from '@cloudscape-design/components/button'
import type { InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useMessages } from '../../i18n/use-messages.ts'
import { ErrorAlert } from '../ErrorAlert.tsx'
import { useJobSteps } from '../job-steps/use-job-steps.ts'
import { useStepTitle } from '../job-steps/use-step-title.ts'
import './job-log.css'
import { LogRow } from './LogRow.tsx'
import { LogSearch } from './LogSearch.tsx'
import { LogToolbar } from './LogToolbar.tsx'
import { logHeadings } from './log-headings.ts'
import { nextPosition } from './log-search.ts'
import { messages } from './messages.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useJobLog } from './use-job-log.ts'
import { useLogDownload } from './use-log-download.ts'
import { useLogSearch } from './use-log-search.ts'
import { useLogView } from './use-log-view.ts'
import { useLogViewport } from './use-log-viewport.ts'

interface Props {
  readonly jobUuid: string
  readonly operation: string
}

/** The live log of a job: of any length, searchable, and at its end until the reader scrolls up. */
export const JobLog = (props: Props) => <LogOfJob key={props.jobUuid} {...props} />

function LogOfJob({ jobUuid, operation }: Props) {
  const t = useMessages(messages)
  const { pages, isReconnecting, error } = useJobLog(jobUuid)
  const steps = useJobSteps(jobUuid)
  const stepTitle = useStepTitle()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title of a step depends on the language, as the messages do
  const headings = useMemo(
    () => logHeadings(steps, (kind, step) => t[kind](stepTitle(operation, step))),
    [steps, operation, t],
  )
  const view = useLogView()
  const { count } = pages
  const viewport = useLogViewport({ count, isWrapped: view.isWrapped, hidden: headings.hidden })
  const { first, last, isFollowing, scrollTo } = viewport
  const [text, setText] = useState('')
  const { matches, error: searchError } = useLogSearch(jobUuid, pages, text.trim(), headings)
  const [position, setPosition] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const field = useRef<InputProps.Ref>(null)
  const fullScreen = useFullScreen(frame)
  const { isBusy, error: downloadError, download } = useLogDownload(jobUuid)
  const currentMatch = matches.numbers[position]

  useEffect(() => pages.require(first, last), [pages, first, last])

  const show = (next: number): void => {
    const number = matches.numbers[next]
    if (number === undefined) return
    setPosition(next)
    scrollTo(number)
  }
  const hasMatches = matches.numbers.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first match of a search moves the log
  useEffect(() => {
    if (hasMatches) show(0)
  }, [hasMatches])

  const focusSearch = (event: KeyboardEvent): void => {
    // the search of the browser finds only the rendered lines
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    field.current?.focus()
  }
  const failure = error ?? searchError ?? downloadError
  // a cancellation is not an error
  const failureLines = steps.steps.some(({ state }) => state === 'Cancelled') ? undefined : steps.failureLines
  const search = (
    <LogSearch
      field={field}
      text={text}
      matches={matches}
      position={position}
      onText={setText}
      onMove={(direction) => show(nextPosition(position, matches.numbers.length, direction))}
    />
  )
  return (
    <SpaceBetween size="xs">
      {failure ? <ErrorAlert error={failure} /> : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the fields inside */}
      <div ref={frame} className="job-log" onKeyDown={focusSearch}>
        <LogToolbar
          search={search}
          view={view}
          fullScreen={fullScreen}
          isDownloading={isBusy}
          onJumpToError={failureLines && (() => scrollTo(failureLines.first))}
          onDownload={download}
        />
        <div className="log-frame">
          <div
            ref={viewport.viewport}
            className={view.isWrapped ? 'log-view log-wrapped' : 'log-view'}
            role="log"
            aria-label={t.log}
            aria-live={isFollowing ? 'polite' : 'off'}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
            tabIndex={0}
            onScroll={viewport.onScroll}
            onKeyDown={viewport.onKeyDown}
          >
            <div className="log-lines" style={{ blockSize: viewport.totalPixels }}>
              <div ref={viewport.rows} className="log-rows" style={{ insetBlockStart: viewport.offsetPixels }}>
                {numbersFrom(first, last, headings.hidden).map((number) => (
                  <LogRow
                    key={number}
                    number={number}
                    line={pages.line(number)}
                    headings={headings}
                    zone={view.hasTimes ? view.zone : undefined}
                    searched={text.trim()}
                    isCurrent={number === currentMatch}
                  />
                ))}
              </div>
            </div>
          </div>
          {viewport.hasMore ? (
            <div className="log-end">
              <Button iconName="angle-down" onClick={viewport.follow}>
                {t.jumpToEnd}
              </Button>
            </div>
          ) : null}
        </div>
      </div>
      {isReconnecting ? <StatusIndicator type="warning">{t.reconnecting}</StatusIndicator> : null}
    </SpaceBetween>
  )
}

function numbersFrom(first: number, last: number, hidden: readonly number[]): number[] {
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return hidden.length === 0 ? numbers : numbers.filter((number) => !hidden.includes(number))
}
