import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** One JSON object per line on standard error; standard output is for people. */
export function makeLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false, minLength: 16_384, periodicFlush: 100 }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}

let second = 0
let writtenSecond = ''

/** ISO 8601 to the millisecond; the part down to the second is written once a second. */
function isoTime(): string {
  const now = Date.now()
  const ms = now % 1000
  if (now - ms !== second) {
    second = now - ms
    writtenSecond = new Date(second).toISOString().slice(0, 20)
  }
  return `,"time":"${writtenSecond}${String(ms).padStart(3, '0')}Z"`
}
