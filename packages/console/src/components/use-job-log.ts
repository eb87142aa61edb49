import { useEffect, useState } from 'react'
import { useWharf } from '../data/wharf-context.tsx'

/** More lines slow the page down; the complete log can be downloaded. */
const maxLines = 5000
/** Lines within this time are rendered together. */
const batchMs = 100

interface LiveLog {
  readonly lines: readonly string[]
  /** The number of earlier lines that are not kept. */
  readonly leftOut: number
  readonly isLost: boolean
  readonly error: unknown
}

const nothing: LiveLog = { lines: [], leftOut: 0, isLost: false, error: undefined }

/** The last lines of a job's log, live; reconnects automatically. */
export function useJobLog(jobUuid: string): LiveLog {
  const wharf = useWharf()
  const [log, setLog] = useState(nothing)
  useEffect(() => {
    const end = new AbortController()
    let waiting: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      const fresh = waiting
      waiting = []
      timer = undefined
      setLog((before) => withLines(before, fresh))
    }
    const onConnection = (isOpen: boolean): void => setLog((before) => ({ ...before, isLost: !isOpen }))
    const read = async (): Promise<void> => {
      try {
        for await (const line of wharf.job(jobUuid).log({ follow: true, signal: end.signal, onConnection })) {
          waiting.push(line)
          timer ??= setTimeout(show, batchMs)
        }
      } catch (error) {
        if (!end.signal.aborted) setLog((before) => ({ ...before, isLost: false, error }))
      }
    }
    setLog(nothing)
    void read()
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [wharf, jobUuid])
  return log
}

function withLines(before: LiveLog, fresh: readonly string[]): LiveLog {
  const all = [...before.lines, ...fresh]
  const surplus = Math.max(0, all.length - maxLines)
  return { ...before, lines: all.slice(surplus), leftOut: before.leftOut + surplus }
}
