import { useSyncExternalStore } from 'react'
import { useFormat } from '../i18n/format.ts'
import { parseTime } from '../i18n/server-time.ts'

/** Often enough for seconds that are told as such; one clock for the whole page. */
const tickMs = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

function listen(changed: () => void): () => void {
  listeners.add(changed)
  timer ??= setInterval(tick, tickMs)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** How long ago, with the moment itself for whoever asks. */
export function RelativeTime({ time }: { time: string | null | undefined }) {
  const format = useFormat()
  // drawn anew with the clock, but by the time that it is: a list is fresher than the last tick
  useSyncExternalStore(listen, () => now)
  if (!time) return <>–</>
  const at = parseTime(time)
  return (
    <time dateTime={at.toISOString()} title={format.moment(at)}>
      {format.ago(at)}
    </time>
  )
}
