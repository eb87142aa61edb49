import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { LineSplitter } from './line-splitter.ts'

/** A login shell may say something first; what it says beyond this is not kept. */
const maxNoiseBytes = 64 * 1024

export const markerLength = 32

/** A text that nothing else on the stream can hold. */
export const newMarker = (): string => randomBytes(markerLength / 2).toString('hex')

/** Where a program on a host begins to speak: a line with the marker alone. */
const beginning = (marker: string): Buffer => Buffer.from(`\n${marker}\n`)

/** Leaves the stream right behind the beginning, unless the stream ends without one. `noise` is what came before. */
export async function skipToBeginning(stream: Readable, marker: string): Promise<{ found: boolean; noise: string }> {
  const wanted = beginning(marker)
  let seen = Buffer.alloc(0)
  const ended = new Promise<null>((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.once(event, () => resolve(null))
  })
  while (true) {
    const chunk: Buffer | null = stream.read()
    if (chunk === null) {
      if (stream.readableEnded || stream.destroyed) return { found: false, noise: seen.toString() }
      const more = new Promise<true>((resolve) => stream.once('readable', () => resolve(true)))
      if ((await Promise.race([more, ended])) === null) return { found: false, noise: seen.toString() }
      continue
    }
    seen = Buffer.concat([seen, chunk])
    const at = seen.indexOf(wanted)
    if (at !== -1) {
      const rest = seen.subarray(at + wanted.length)
      if (rest.length > 0) stream.unshift(rest)
      return { found: true, noise: seen.subarray(0, at).toString() }
    }
    seen = seen.subarray(-maxNoiseBytes)
  }
}

/** The words behind the marker, of a program that prints nothing else; undefined when the stream ends without them. */
export async function skipToResult(stream: Readable, marker: string): Promise<string | undefined> {
  const ended = Promise.withResolvers<void>()
  const lines = new MarkedLines(marker, () => {}, ended.resolve)
  stream.on('data', (chunk: Buffer) => lines.push(chunk)).once('close', () => ended.resolve())
  await ended.promise
  return lines.result
}

/** The lines of a program up to the one that says, after the marker, how it ended. */
export class MarkedLines {
  readonly #marker: string
  readonly #onLine: (line: string) => void
  readonly #onEnd: () => void
  readonly #splitter: LineSplitter
  /** The end begins with a line feed of its own, so an empty line before it is not the program's. */
  #emptyLineHeld = false
  /** The words behind the marker. */
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

  /** The stream is over; whether the program said how it ended is in `result`. */
  end(): void {
    this.#splitter.end()
    if (this.result === undefined && this.#emptyLineHeld) this.#onLine('')
  }

  #take(line: string): void {
    // something that the program left running may go on talking
    if (this.result !== undefined) return
    if (line.startsWith(`${this.#marker} `)) {
      this.result = line.slice(this.#marker.length + 1)
      this.#onEnd()
      return
    }
    if (this.#emptyLineHeld) this.#onLine('')
    this.#emptyLineHeld = line === ''
    if (line !== '') this.#onLine(line)
  }
}
