import { useEffect, useSyncExternalStore } from 'react'
import { useWharf } from '../../data/wharf-context.tsx'
import { markActive, unmarkActive } from './active-uploads.ts'
import { type UploadItem, UploadQueue } from './upload-queue.ts'

/** The queue of this tab. */
export const uploads = new UploadQueue()

const markIntervalMs = 3000
const rateIntervalMs = 1000

export const useUploads = (): readonly UploadItem[] => useSyncExternalStore(uploads.subscribe, uploads.read)

const unfinished = ({ state }: UploadItem): boolean => state !== 'done' && state !== 'failed'

const sent = (): string[] =>
  uploads
    .read()
    .filter(unfinished)
    .flatMap(({ packageUuid }) => packageUuid ?? [])

/** Warns before the tab is closed during an upload, marks uploads as active for other tabs, and stops them with the session. */
export function useUploadSession(): void {
  const wharf = useWharf()
  const isBusy = useUploads().some(unfinished)
  useEffect(() => {
    if (!isBusy) return
    const timers = [
      setInterval(() => markActive(sent()), markIntervalMs),
      setInterval(() => uploads.refreshRates(), rateIntervalMs),
    ]
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    const leave = (): void => unmarkActive(sent())
    addEventListener('beforeunload', warn)
    addEventListener('pagehide', leave)
    return () => {
      for (const timer of timers) clearInterval(timer)
      leave()
      removeEventListener('beforeunload', warn)
      removeEventListener('pagehide', leave)
    }
  }, [isBusy])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session is another person
  useEffect(() => () => uploads.stopAll(), [wharf])
}
