import { getApiJobLogLines } from '@wharf/contract'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useWharf } from '../../data/wharf-context.tsx'
import { type LogLine, LogPages } from './log-pages.ts'

/** Lines within this time are rendered together. */
const batchMs = 100
/** `2026-11-05T01:02:03.456Z`, before each line. */
const timeLength = 24

/** The log of a job, live; reconnects automatically. */
export function useJobLog(jobUuid: string): { pages: LogPages; isReconnecting: boolean; error: unknown } {
  const wharf = useWharf()
  const pages = useMemo(
    () => new LogPages((after) => wharf.call(getApiJobLogLines, { uuid: jobUuid, after })),
    [wharf, jobUuid],
  )
  useSyncExternalStore(pages.subscribe, pages.getVersion)
  const [isReconnecting, setReconnecting] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const end = new AbortController()
    let pending: LogLine[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (): void => {
      timer = undefined
      pages.append(pending)
      pending = []
    }
    const follow = async (): Promise<void> => {
      await pages.loadPage(0)
      let number = pages.count
      const options = { follow: true, timestamps: true, after: number, signal: end.signal }
      const onConnection = (isOpen: boolean): void => setReconnecting(!isOpen)
      for await (const line of wharf.job(jobUuid).log({ ...options, onConnection })) {
        pending.push({ number: ++number, time: line.slice(0, timeLength), line: line.slice(timeLength + 1) })
        timer ??= setTimeout(show, batchMs)
      }
    }
    setReconnecting(false)
    setError(undefined)
    follow().catch((failure: unknown) => {
      if (end.signal.aborted) return
      setReconnecting(false)
      setError(failure)
    })
    return () => {
      end.abort()
      clearTimeout(timer)
      pages.stopWaiting()
    }
  }, [wharf, jobUuid, pages])
  return { pages, isReconnecting, error: error ?? pages.error }
}
