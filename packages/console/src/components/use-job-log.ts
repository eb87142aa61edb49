import { useEffect, useState } from 'react'
import { useWharf } from '../data/wharf-context.tsx'
import { appendLines, emptyLog, type LiveLog } from './live-log.ts'

/** Lines within this time are rendered together. */
const batchMs = 100

/** The last lines of a job's log, live; reconnects automatically. */
export function useJobLog(jobUuid: string): LiveLog {
  const wharf = useWharf()
  const [log, setLog] = useState(emptyLog)
  useEffect(() => {
    const end = new AbortController()
    let pending: string[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      const lines = pending
      pending = []
      timer = undefined
      setLog((before) => appendLines(before, lines))
    }
    const onConnection = (isOpen: boolean): void => setLog((before) => ({ ...before, isReconnecting: !isOpen }))
    const read = async (): Promise<void> => {
      try {
        for await (const line of wharf.job(jobUuid).log({ follow: true, signal: end.signal, onConnection })) {
          pending.push(line)
          timer ??= setTimeout(show, batchMs)
        }
      } catch (error) {
        if (!end.signal.aborted) setLog((before) => ({ ...before, isReconnecting: false, error }))
      }
    }
    setLog(emptyLog)
    void read()
    return () => {
      end.abort()
      clearTimeout(timer)
    }
  }, [wharf, jobUuid])
  return log
}
