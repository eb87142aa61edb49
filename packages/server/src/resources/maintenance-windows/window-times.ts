import { invalid } from '@wharf/platform/api-error.ts'
import { zoneOffset } from '@wharf/platform/timestamps.ts'
import { Cron } from 'croner'

export interface WindowTimes {
  readonly cron: string
  readonly durationMinutes: number
  readonly timeZone: string
  readonly cutoffMinutes: number
}

export interface WindowState {
  readonly isOpen: boolean
  /** When it is closed: the start of the next one; null when there is none. */
  readonly opensAt: number | null
}

const minuteMs = 60_000

/** Five fields, as in crontab: windows do not open within a minute. */
const schedule = ({ cron, timeZone }: Pick<WindowTimes, 'cron' | 'timeZone'>): Cron =>
  new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' })

/** Refuses times that are not valid, and a window that never opens. */
export function checkWindowTimes(times: WindowTimes, prefix: string, now: number): void {
  const { cron, durationMinutes, timeZone, cutoffMinutes } = times
  if (!isTimeZone(timeZone))
    throw invalid(`${prefix}.timeZone: ${timeZone} is not an IANA time zone; use one such as Europe/Berlin or UTC`)
  if (cutoffMinutes >= durationMinutes)
    throw invalid(
      `${prefix}.cutoffMinutes must be less than the ${durationMinutes} minutes that the window is open, not ${cutoffMinutes}`,
    )
  const next = (() => {
    try {
      return schedule(times).nextRun(new Date(now))
    } catch {
      throw invalid(
        `${prefix}.cron: ${cron} is not a schedule of minute, hour, day of the month, month and day of the week, such as 0 22 * * 1-5`,
      )
    }
  })()
  if (next === null) throw invalid(`${prefix}.cron: ${cron} never occurs`)
}

/** Names only: an offset such as +01:00 does not follow the clocks of a place. */
const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && zoneOffset(name) !== undefined

/** The next start after this time; null when there is none. */
export const nextOpening = (times: Pick<WindowTimes, 'cron' | 'timeZone'>, now: number): number | null =>
  schedule(times).nextRun(new Date(now))?.getTime() ?? null

/** Whether hosts may be started now. The window lasts its duration in real time, also when clocks change meanwhile. */
export function windowState(times: WindowTimes, now: number): WindowState {
  const usableMs = (times.durationMinutes - times.cutoffMinutes) * minuteMs
  // a start exactly that long ago has just ended
  const start = nextOpening(times, now - usableMs)
  return start !== null && start <= now ? { isOpen: true, opensAt: null } : { isOpen: false, opensAt: start }
}
