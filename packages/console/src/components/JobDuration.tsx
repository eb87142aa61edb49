import { isActiveJob } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { useFormat } from '../i18n/use-format.ts'
import { parseTime } from './parse-time.ts'

interface TimedJob {
  readonly state?: string
  readonly createDate?: string
  readonly endDate?: string | null
  readonly lastOpDate?: string
}

const tickMs = 1000

/** How long a job took, or has taken so far. */
export function JobDuration({ job }: { job: TimedJob }) {
  const format = useFormat()
  const isRunning = isActiveJob(job.state)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return <>{durationOf(job, format, now)}</>
}

export function durationOf(
  { state, createDate, endDate, lastOpDate }: TimedJob,
  format: { duration(ms: number): string },
  now = Date.now(),
): string {
  // a job of an older version has no end
  const end = endDate ?? lastOpDate
  if (!createDate || !end) return '–'
  const ms = (isActiveJob(state) ? now : parseTime(end).getTime()) - parseTime(createDate).getTime()
  // times have a resolution of a second
  return ms < 1000 ? `< ${format.duration(1000)}` : format.duration(ms)
}
