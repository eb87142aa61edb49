/** Binary units; a megabyte of Intl is 10^6 bytes. */
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Formats sizes, rates and times in a language. Times are in the zone of the browser, or in UTC, which they then name. */
export function createFormat(locale: string, zone: 'local' | 'utc' = 'local') {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {}
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23', ...timeZone })
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', ...timeZone })
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    ...timeZone,
  })
  const bytes = (count: number): string => {
    const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, count)) / Math.log(1024)))
    const figure = new Intl.NumberFormat(locale, { maximumFractionDigits: power ? 1 : 0 })
    return `${figure.format(count / 1024 ** power)} ${units[power]}`
  }
  const seconds = (count: number): string => {
    const [value, unit] =
      count < 90 ? [count, 'second'] : count < 5400 ? [count / 60, 'minute'] : [count / 3600, 'hour']
    const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 } as const
    return new Intl.NumberFormat(locale, format).format(value)
  }
  return {
    bytes,
    seconds,
    rate: (bytesPerSecond: number): string => `${bytes(bytesPerSecond)}/s`,
    number: (count: number): string => new Intl.NumberFormat(locale).format(count),
    percent: (share: number): string => new Intl.NumberFormat(locale, { style: 'percent' }).format(share),
    /** Hours and minutes. */
    clock: (time: number): string => clock.format(time),
    /** Month and day. */
    day: (time: number): string => day.format(time),
    /** What the clock of these times is ahead of UTC. */
    offsetMs: (time: number): number => (zone === 'utc' ? 0 : -new Date(time).getTimezoneOffset() * 60_000),
    moment: (time: string | number | Date): string => `${moment.format(new Date(time))}${zone === 'utc' ? ' UTC' : ''}`,
    ago(time: string | number | Date, now = Date.now()): string {
      const past = (new Date(time).getTime() - now) / 1000
      for (const [unit, length] of [
        ['day', 86_400],
        ['hour', 3600],
        ['minute', 60],
      ] as const)
        if (Math.abs(past) >= length) return relative.format(Math.round(past / length), unit)
      return relative.format(Math.round(past), 'second')
    },
  }
}
