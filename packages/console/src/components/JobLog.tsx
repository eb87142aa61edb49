import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useRef, useState } from 'react'
import { downloadText } from '../browser/download-text.ts'
import { useWharf } from '../data/wharf-context.tsx'
import { useFormat } from '../i18n/use-format.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { ErrorAlert } from './ErrorAlert.tsx'
import { messages } from './messages.ts'
import { useJobLog } from './use-job-log.ts'

const nearPixels = 8

/** The live log of a job; scrolls with new lines while the end is visible. */
export function JobLog({ jobUuid }: { jobUuid: string }) {
  const t = useMessages(messages)
  const { lines, truncatedCount, isReconnecting, error } = useJobLog(jobUuid)
  const element = useRef<HTMLPreElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are the reason to move
  useEffect(() => {
    if (isAtEnd) element.current?.scrollTo({ top: element.current.scrollHeight })
  }, [lines, isAtEnd])
  return (
    <SpaceBetween size="xs">
      {error ? <ErrorAlert error={error} /> : null}
      {truncatedCount > 0 ? <TruncatedNotice jobUuid={jobUuid} count={truncatedCount} /> : null}
      <pre
        ref={element}
        className="log"
        role="log"
        aria-label={t.logOf}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < nearPixels)
        }
      >
        {lines.join('\n')}
      </pre>
      {isReconnecting ? <StatusIndicator type="warning">{t.reconnecting}</StatusIndicator> : null}
      {isAtEnd ? null : (
        <Button iconName="angle-down" onClick={() => setAtEnd(true)}>
          {t.follow}
        </Button>
      )}
    </SpaceBetween>
  )
}

function TruncatedNotice({ jobUuid, count }: { jobUuid: string; count: number }) {
  const t = useMessages(messages)
  const format = useFormat()
  const wharf = useWharf()
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const download = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const lines = await Array.fromAsync(wharf.job(jobUuid).log())
      downloadText(`wharf-job-${jobUuid}.log`, `${lines.join('\n')}\n`)
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <StatusIndicator type="info">{t.truncated(format.number(count))}</StatusIndicator>
        <Button variant="inline-link" loading={isBusy} onClick={() => void download()}>
          {t.wholeLog}
        </Button>
      </SpaceBetween>
      {failure ? <ErrorAlert error={failure} /> : null}
    </>
  )
}
