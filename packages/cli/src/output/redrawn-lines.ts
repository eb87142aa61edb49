import { stripVTControlCharacters } from 'node:util'
import type { OutputStream } from '../io.ts'
import { widthOf } from './text-width.ts'

/** Lines that replace the ones drawn before. */
export class RedrawnLines {
  readonly #stream: OutputStream
  #drawnLines = 0

  constructor(stream: OutputStream) {
    this.#stream = stream
  }

  draw(lines: readonly string[]): void {
    const clear = this.#drawnLines > 0 ? `\u001b[${this.#drawnLines}A\r\u001b[J` : ''
    this.#stream.write(`${clear}${lines.join('\n')}\n`)
    this.#drawnLines = lines.reduce((sum, line) => sum + this.#heightOf(line), 0)
  }

  /** The lines stay, because something else is printed below them. */
  release(): void {
    this.#drawnLines = 0
  }

  /** A wide line wraps. */
  #heightOf(line: string): number {
    const { columns = 80 } = this.#stream
    return Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns))
  }
}
