import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useEffect, useRef, useState } from 'react'
import { useWharf } from '../wharf/wharf.tsx'
import { useFigures } from '../words/figures.ts'
import { useWords } from '../words/words.ts'
import { downloadText } from './download.ts'
import { Failure } from './Failure.tsx'
import { useLog } from './use-log.ts'
import { words } from './words.ts'

/** So near the end counts as there. */
const nearPixels = 8

/** The log of a job, live: it follows its end while the reader is there. */
export function Log({ jobUuid }: { jobUuid: string }) {
  const say = useWords(words)
  const { lines, leftOut, isLost, error } = useLog(jobUuid)
  const element = useRef<HTMLPreElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are the reason to move
  useEffect(() => {
    if (isAtEnd) element.current?.scrollTo({ top: element.current.scrollHeight })
  }, [lines, isAtEnd])
  return (
    <SpaceBetween size="xs">
      {error ? <Failure error={error} /> : null}
      {leftOut > 0 ? <LeftOut jobUuid={jobUuid} count={leftOut} /> : null}
      <pre
        ref={element}
        className="log"
        role="log"
        aria-label={say.logOf}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < nearPixels)
        }
      >
        {lines.join('\n')}
      </pre>
      {isLost ? <StatusIndicator type="warning">{say.lost}</StatusIndicator> : null}
      {isAtEnd ? null : (
        <Button iconName="angle-down" onClick={() => setAtEnd(true)}>
          {say.follow}
        </Button>
      )}
    </SpaceBetween>
  )
}

function LeftOut({ jobUuid, count }: { jobUuid: string; count: number }) {
  const say = useWords(words)
  const figures = useFigures()
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
        <StatusIndicator type="info">{say.leftOut(figures.number(count))}</StatusIndicator>
        <Button variant="inline-link" loading={isBusy} onClick={() => void download()}>
          {say.wholeLog}
        </Button>
      </SpaceBetween>
      {failure ? <Failure error={failure} /> : null}
    </>
  )
}
