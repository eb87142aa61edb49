import type { TimeZoneChoice } from '../../../i18n/time-zone.ts'

const hourMs = 3_600_000

/** How long an alert is silenced: a duration, or until a chosen time. */
export const silenceDurations = { hour: hourMs, fourHours: 4 * hourMs, day: 24 * hourMs } as const
export type SilenceChoice = keyof typeof silenceDurations | 'until'

/** The longest silence that the server accepts. */
const maxDays = 90

interface ChosenTime {
  /** `2026-11-05` */
  readonly date: string
  /** `13:05` */
  readonly time: string
  readonly zone: TimeZoneChoice
}

/** The end of the silence, and why it cannot be used. */
export function silenceEnd(
  choice: SilenceChoice,
  { date, time, zone }: ChosenTime,
  now: number,
): { readonly end: Date } | { readonly problem: 'incomplete' | 'past' | 'tooLong' } {
  if (choice !== 'until') return { end: new Date(now + silenceDurations[choice]) }
  // without a suffix it is in the zone of the browser
  const written = `${date}T${time}${zone === 'utc' ? 'Z' : ''}`
  const end = /^\d\d:\d\d$/.test(time) ? new Date(written) : new Date(Number.NaN)
  if (Number.isNaN(end.getTime())) return { problem: 'incomplete' }
  if (end.getTime() <= now) return { problem: 'past' }
  return end.getTime() > now + maxDays * 24 * hourMs ? { problem: 'tooLong' } : { end }
}
