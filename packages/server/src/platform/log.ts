import { type DestinationStream, type Logger, pino, symbols } from 'pino'

export type Log = Logger

/** A busy server writes in pieces of this size; pino writes less than 16 KiB at a time. */
const pieceBytes = 15 * 1024
/** So much waits for a standard error that takes nothing; what comes then is dropped. */
const maxWaitingBytes = 4 * 1024 * 1024

function standardError(): DestinationStream {
  const options = {
    dest: 2,
    sync: false,
    minLength: pieceBytes,
    maxLength: maxWaitingBytes,
    periodicFlush: 100,
    contentMode: 'buffer' as const,
  }
  const stream = pino.destination(options)
  // a file that is full, say: it is tried again with the next lines, and the server has more to do than to log
  stream.on('error', () => {})
  // as bytes: of texts it takes the length of all that wait, with every line anew
  return { write: (line) => void stream.write(Buffer.from(line) as never) }
}

/** One JSON object per line on standard error; standard output is for people. */
export function makeLog(level: string, destination: DestinationStream = standardError()): Log {
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

/** The line of a call. Nearly all lines are, so it is written in one go: pino goes field by field, and takes twice as long. */
export function logCall(log: Log, call: object): void {
  if (!log.isLevelEnabled('info')) return
  const { [symbols.streamSym]: stream } = log as Log & { [symbols.streamSym]: DestinationStream }
  stream.write(`{"level":"info"${isoTime()},${JSON.stringify(call).slice(1, -1)},"msg":"request"}\n`)
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
