/** Binary units; a megabyte of Intl is 10^6 bytes. */
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** 2026/11/05 01:02:03, which fits the columns that the English form fits. */
const digits = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

/** Formats sizes, rates and times in a language. Times are in the zone of the browser, or in UTC, which they then name. */
export function createFormat(locale: string, zone: 'local' | 'utc' = 'local') {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {}
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23', ...timeZone })
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', ...timeZone })
  const moment = new Intl.DateTimeFormat(locale, {
    ...(locale.startsWith('zh') ? digits : ({ dateStyle: 'medium', timeStyle: 'medium' } as const)),
    hourCycle: 'h23',
    ...timeZone,
  })
  const numbers = new Map<string, Intl.NumberFormat>()
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string => {
    // kept: creating one takes longer than using it
    const key = JSON.stringify(options)
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options)
    numbers.set(key, format)
    return format.format(value)
  }
  const bytes = (count: number): string => {
    const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, count)) / Math.log(1024)))
    return `${number(count / 1024 ** power, { maximumFractionDigits: power ? 1 : 0 })} ${units[power]}`
  }
  const unit = (value: number, name: string, maximumFractionDigits = 0): string =>
    number(value, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits })
  const seconds = (count: number): string => {
    const [value, name] =
      count < 90 ? [count, 'second'] : count < 5400 ? [count / 60, 'minute'] : [count / 3600, 'hour']
    return unit(value, name)
  }
  /** In two units at most: 350 ms, 4.2 sec, 2 min 5 sec, 1 hr 3 min. */
  const duration = (ms: number): string => {
    if (ms < 1000) return unit(Math.round(ms), 'millisecond')
    if (ms < 59_950) return unit(ms / 1000, 'second', ms < 9950 ? 1 : 0)
    const [size, larger, smaller] = ms < 3_599_500 ? [60, 'minute', 'second'] : [3600, 'hour', 'minute']
    const rest = Math.round(ms / 1000 / (size / 60))
    return [unit(Math.floor(rest / 60), larger), ...(rest % 60 === 0 ? [] : [unit(rest % 60, smaller)])].join(' ')
  }
  return {
    bytes,
    seconds,
    duration,
    rate: (bytesPerSecond: number): string => `${bytes(bytesPerSecond)}/s`,
    number: (count: number): string => number(count),
    percent: (share: number): string => number(share, { style: 'percent' }),
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
