import { type DestinationStream, type Logger, pino, symbols } from 'pino'

export type Log = Logger

/** A busy server writes in pieces of this size; pino writes less than 16 KiB at a time. */
const pieceBytes = 15 * 1024
/** So much waits for a standard error that takes nothing; what comes then is dropped. */
const maxWaitingBytes = 4 * 1024 * 1024

function standardError(): DestinationStream & { flushSync(): void } {
  const options = { dest: 2, sync: false, minLength: pieceBytes, maxLength: maxWaitingBytes, periodicFlush: 100 }
  const stream = pino.destination(options)
  // a file that is full, say: it is tried again with the next lines, and the server has more to do than to log
  stream.on('error', () => {})
  // it measures the piece that it is filling with every write: the lines of one turn of the event loop go in together
  let waiting = ''
  const handOver = (): void => {
    const lines = waiting
    waiting = ''
    if (lines !== '') stream.write(lines)
  }
  // called at the end of the process too
  const { flushSync } = stream
  stream.flushSync = () => {
    handOver()
    flushSync.call(stream)
  }
  const write = (line: string): void => {
    if (waiting === '') setImmediate(handOver)
    waiting += line
  }
  // pino asks for the latter after a fatal line
  return { write, flushSync: () => stream.flushSync() }
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

/** What is told of a call when it has been answered. */
export interface AnsweredCall {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly status: number
  readonly ms: number
  readonly user: string | undefined
  readonly source: string
  readonly handedTo?: string | undefined
}

/** Nearly all lines are of calls, so these are written in one go: pino goes field by field, and takes four times as long. */
export function logCall(log: Log, call: AnsweredCall): void {
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
