import { getApiJobLogLines } from '@wharf/contract'
import { useEffect, useMemo, useState } from 'react'
import { useWharf } from '../../data/wharf-context.tsx'
import type { LogHeadings } from './log-headings.ts'
import type { LogPages } from './log-pages.ts'
import { noMatches, searchLog, shownMatches } from './log-search.ts'

/** A word that is being typed is not searched letter by letter. */
const typingMs = 250
/** How often new lines are searched. */
const pauseMs = 1000

/** The shown lines of the log that contain a text; the server searches, because few of the lines are in memory. */
export function useLogSearch(jobUuid: string, pages: LogPages, text: string, headings: LogHeadings) {
  const wharf = useWharf()
  const [matches, setMatches] = useState(noMatches)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    setMatches({ ...noMatches, isSearching: text !== '' })
    setError(undefined)
    if (text === '') return
    const end = new AbortController()
    const { signal } = end
    const load = (after: number) => wharf.call(getApiJobLogLines, { uuid: jobUuid, after, contains: text }, { signal })
    const untilLonger = (count: number) => waitUntilLonger(pages, count, signal)
    const timer = setTimeout(() => {
      searchLog({ load, untilLonger, onMatches: setMatches, signal }).catch((failure: unknown) => {
        if (signal.aborted) return
        setMatches(noMatches)
        setError(failure)
      })
    }, typingMs)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [wharf, jobUuid, pages, text])
  const shown = useMemo(
    () => (text === '' ? noMatches : { ...matches, numbers: shownMatches(matches.numbers, text, headings) }),
    [matches, text, headings],
  )
  return { matches: shown, error }
}

function waitUntilLonger(pages: LogPages, count: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (pages.count <= count && !signal.aborted) return
      stop()
      setTimeout(resolve, signal.aborted ? 0 : pauseMs)
    }
    const stop = pages.subscribe(check)
    signal.addEventListener('abort', check, { once: true })
    check()
  })
}
