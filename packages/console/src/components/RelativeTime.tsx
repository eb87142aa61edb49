import { useSyncExternalStore } from 'react'
import { useFormat } from '../i18n/use-format.ts'
import { parseTime } from './parse-time.ts'
import './relative-time.css'

/** One timer for all times on the page. */
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

/** How long ago, and the exact time beside it. */
export function RelativeTime({ time }: { time: string | null | undefined }) {
  const format = useFormat()
  // renders on each tick, but with the current time: a list may be newer than the last tick
  useSyncExternalStore(listen, () => now)
  if (!time) return <>–</>
  const at = parseTime(time)
  return (
    <time className="time" dateTime={at.toISOString()}>
      <span>{format.ago(at)}</span> <span className="time-absolute">{format.moment(at)}</span>
    </time>
  )
}
