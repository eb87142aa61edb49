import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino, symbols } from 'pino'
import { PrettyLog } from './pretty-log.ts'
import { StderrWriter } from './stderr-writer.ts'

export type Log = Logger

/** One JSON object per line on standard error, or lines for people when that is a terminal. */
export function makeLog(level: string, destination: DestinationStream = standardError()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSteering },
    },
    destination,
  )
}

function standardError(): DestinationStream {
  const destination = new StderrWriter()
  const { NO_COLOR, TERM } = process.env
  return isatty(2) ? new PrettyLog(destination, { hasColours: !NO_COLOR && TERM !== 'dumb' }) : destination
}

/** JSON escapes the control characters of ASCII only; terminals act on others as well. */
const steering = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

const withoutSteering = (line: string): string =>
  line.replaceAll(
    new RegExp(steering, 'g'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** What is logged of a call when it was answered. */
export interface AnsweredCall {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly user: string | undefined
  readonly source: string
  readonly forwardedTo?: string | undefined
  /** The caller closed its connection before it had the whole response. */
  readonly hungUp?: true | undefined
}

/** Nearly all lines are of calls, so these are serialised at once: pino's field by field takes four times as long. */
export function logCall(log: Log, call: AnsweredCall): void {
  if (!log.isLevelEnabled('info')) return
  const { [symbols.streamSym]: stream } = log as Log & { [symbols.streamSym]: DestinationStream }
  const line = `{"level":"info"${isoTime()},${JSON.stringify(call).slice(1, -1)},"msg":"request"}\n`
  // the only field that the client chooses
  stream.write(steering.test(call.path) ? withoutSteering(line) : line)
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
