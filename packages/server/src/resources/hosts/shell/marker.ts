import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { LineSplitter } from './line-splitter.ts'

/** A login shell may print something first; only the end of it is kept. */
const maxNoiseBytes = 64 * 1024

export const markerLength = 32

/** A text that no other output contains. */
export const newMarker = (): string => randomBytes(markerLength / 2).toString('hex')

/** The line before the output of a script. */
const startLine = (marker: string): Buffer => Buffer.from(`\n${marker}\n`)

/** Positions the stream after the start line, if it has one. `noise` is what precedes it. */
export async function skipToStart(stream: Readable, marker: string): Promise<{ found: boolean; noise: string }> {
  const start = startLine(marker)
  let seen = Buffer.alloc(0)
  while (true) {
    const chunk: Buffer | null = stream.read()
    if (chunk === null) {
      if (stream.readableEnded || stream.destroyed) return { found: false, noise: seen.toString() }
      await anyOf(stream, ['readable', 'end', 'close', 'error'])
      continue
    }
    seen = Buffer.concat([seen, chunk])
    const at = seen.indexOf(start)
    if (at !== -1) {
      const rest = seen.subarray(at + start.length)
      if (rest.length > 0) stream.unshift(rest)
      return { found: true, noise: seen.subarray(0, at).toString() }
    }
    seen = seen.subarray(-maxNoiseBytes)
  }
}

/** Leaves no listener behind: it is called for every piece of output that precedes the start. */
function anyOf(stream: Readable, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) stream.off(event, done)
      resolve()
    }
    for (const event of events) stream.on(event, done)
  })
}

/** The text after the marker, of a script that prints nothing else; undefined when the stream ends without it. */
export async function skipToResult(stream: Readable, marker: string): Promise<string | undefined> {
  const ended = Promise.withResolvers<void>()
  const lines = new MarkedLines(marker, () => {}, ended.resolve)
  stream.on('data', (chunk: Buffer) => lines.push(chunk)).once('close', () => ended.resolve())
  await ended.promise
  return lines.result
}

/** The lines of a program up to the one that contains, after the marker, its result. */
export class MarkedLines {
  readonly #marker: string
  readonly #onLine: (line: string) => void
  readonly #onEnd: () => void
  readonly #splitter: LineSplitter
  /** The result is preceded by a line feed, so an empty line before it is not the program's. */
  #hasPendingEmptyLine = false
  result: string | undefined

  constructor(marker: string, onLine: (line: string) => void, onEnd: () => void) {
    this.#marker = marker
    this.#onLine = onLine
    this.#onEnd = onEnd
    this.#splitter = new LineSplitter((line) => this.#take(line))
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk)
  }

  /** At the end of the stream; `result` is undefined when the program printed none. */
  end(): void {
    this.#splitter.end()
    if (this.result === undefined && this.#hasPendingEmptyLine) this.#onLine('')
  }

  #take(line: string): void {
    // a process that the program left running may still print
    if (this.result !== undefined) return
    if (line.startsWith(`${this.#marker} `)) {
      this.result = line.slice(this.#marker.length + 1)
      this.#onEnd()
      return
    }
    if (this.#hasPendingEmptyLine) this.#onLine('')
    this.#hasPendingEmptyLine = line === ''
    if (line !== '') this.#onLine(line)
  }
}
