import Box from '@cloudscape-design/components/box'
import { useEffect, useRef, useState } from 'react'
import { useWharf } from '../wharf/wharf.tsx'
import { useWords } from '../words/words.ts'
import { Failure } from './Failure.tsx'
import { words } from './words.ts'

/** A page with more lines than these is slow; the whole log can be had from the API. */
const maxLines = 5000
/** Many lines at once are one drawing. */
const gatherMs = 100

/** The log of a job, live: it follows its end while the reader is there, and goes on after a lost connection. */
export function Log({ jobUuid }: { jobUuid: string }) {
  const say = useWords(words)
  const { lines, error } = useLog(jobUuid)
  const element = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are the reason to move
  useEffect(() => {
    if (isAtEnd.current) element.current?.scrollTo({ top: element.current.scrollHeight })
  }, [lines])
  return (
    <>
      {error ? <Failure error={error} /> : null}
      <Box>
        <pre
          ref={element}
          className="log"
          role="log"
          aria-label={say.logOf}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8
          }}
        >
          {lines.join('\n')}
        </pre>
      </Box>
    </>
  )
}

function useLog(jobUuid: string): { lines: readonly string[]; error: unknown } {
  const wharf = useWharf()
  const [lines, setLines] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const end = new AbortController()
    let waiting: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      const fresh = waiting
      waiting = []
      timer = undefined
      setLines((before) => [...before, ...fresh].slice(-maxLines))
    }
    const read = async (): Promise<void> => {
      try {
        for await (const line of wharf.job(jobUuid).log({ follow: true, signal: end.signal })) {
          waiting.push(line)
          timer ??= setTimeout(show, gatherMs)
        }
      } catch (failure) {
        if (!end.signal.aborted) setError(failure)
      }
    }
    setLines([])
    setError(undefined)
    void read()
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [wharf, jobUuid])
  return { lines, error }
}
