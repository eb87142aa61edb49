import type { TimeZoneChoice } from '../../i18n/time-zone.ts'

const digits = (value: number, length = 2): string => String(value).padStart(length, '0')

/** The time of a log line with milliseconds: in UTC with a Z, or in the zone of the browser. */
export function lineTime(time: string, zone: TimeZoneChoice): string {
  if (zone === 'utc') return time.replace('T', ' ')
  const at = new Date(time)
  const date = [at.getFullYear(), digits(at.getMonth() + 1), digits(at.getDate())].join('-')
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((value) => digits(value)).join(':')
  return `${date} ${clock}.${digits(at.getMilliseconds(), 3)}`
}
