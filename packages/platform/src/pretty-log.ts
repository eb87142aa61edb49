import type { DestinationStream } from 'pino'
import { plainText } from './plain-text.ts'

const colours: Readonly<Record<string, number>> = { debug: 2, info: 32, warn: 33, error: 31, fatal: 31 }

type Paint = (text: string, code: number) => string

/** Converts JSON lines to lines for people, for a log that is read on a terminal. */
export class PrettyLog {
  readonly #to: DestinationStream & { flushSync?(): void }
  readonly #paint: Paint

  constructor(to: DestinationStream & { flushSync?(): void }, { hasColours }: { hasColours: boolean }) {
    this.#to = to
    this.#paint = hasColours ? (text, code) => `\u001b[${code}m${text}\u001b[0m` : (text) => text
  }

  write(line: string): void {
    this.#to.write(prettyLine(line, this.#paint))
  }

  flushSync(): void {
    this.#to.flushSync?.()
  }
}

interface LoggedError {
  readonly message?: string
  readonly stack?: string
}

/** `10:03:12.345 INFO  ready  version=1.1.0 url=http://127.0.0.1:8080/wharf`, then the trace of an error. */
function prettyLine(line: string, paint: Paint): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown> & { err?: LoggedError }
  const { text, rest } = msg === 'request' ? requestOf(fields) : { text: String(msg ?? ''), rest: fields }
  const values = Object.entries(rest).map(([name, value]) => ` ${paint(`${name}=`, 2)}${valueText(value)}`)
  const head = `${paint(localTime(String(time)), 2)} ${paint(String(level).toUpperCase().padEnd(5), colours[String(level)] ?? 0)}`
  const trace = err === undefined ? '' : `\n${plainText(err.stack ?? err.message ?? '').replaceAll(/^/gm, '    ')}`
  return `${head} ${oneLine(text)}${values.length > 0 ? ` ${values.join('')}` : ''}${trace}\n`
}

function requestOf(fields: Record<string, unknown>): { text: string; rest: Record<string, unknown> } {
  const { method, path, status, ms, requestId, ...rest } = fields
  return { text: `${method} ${path} ${status} ${ms} ms`, rest: { ...rest, requestId } }
}

const oneLine = (text: string): string => plainText(text).replaceAll('\n', '\\n')

const valueText = (value: unknown): string => oneLine(typeof value === 'string' ? value : JSON.stringify(value))

/** The reader looks at a clock of the same zone. */
function localTime(time: string): string {
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
