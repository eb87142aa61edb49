import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** One JSON object per line on standard error; standard output is for people. */
export function makeLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}
