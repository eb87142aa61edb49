/** The used part of standard output. */
interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
  on(event: 'error', listener: () => void): unknown
}

/** The output of the demo: a line for each step, with its progress while it runs and its duration afterwards. */
export class DemoScreen {
  readonly #started = performance.now()
  readonly #output: Terminal
  readonly #isTerminal: boolean
  #isClosed = false

  /** `onClosed` runs when the output is closed, as in `npm run demo | head`. */
  constructor(output: Terminal, onClosed: () => void) {
    this.#output = output
    this.#isTerminal = output.isTTY === true
    output.on('error', () => {
      if (this.#isClosed) return
      this.#isClosed = true
      onClosed()
    })
  }

  print(text = ''): void {
    this.#write(`${text}\n`)
  }

  /** `work` may report its progress; a terminal shows it on the line of the step. */
  async step<T>(title: string, work: (report: (progress: string) => void) => Promise<T>): Promise<T> {
    const started = performance.now()
    const report = (progress: string): void => {
      if (this.#isTerminal) this.#write(`\r\u001b[K  … ${title}: ${progress}`)
    }
    report('')
    try {
      const result = await work(report)
      this.#line(`  ✔ ${title} (${seconds(performance.now() - started)})`)
      return result
    } catch (error) {
      this.#line(`  ✖ ${title}`)
      throw error
    }
  }

  /** A text between two lines, like a message in a chat. */
  frame(title: string, text: string): void {
    const { line, close } = this.openFrame(title)
    text.split('\n').forEach(line)
    close()
  }

  /** A frame whose lines follow one by one, like the output of a program. */
  openFrame(title: string): { line(text: string): void; close(): void } {
    this.print(`\n  ┌─ ${title}`)
    return { line: (text) => this.print(`  │ ${text}`), close: () => this.print('  └─\n') }
  }

  get elapsed(): string {
    return seconds(performance.now() - this.#started)
  }

  #line(text: string): void {
    this.#write(`${this.#isTerminal ? '\r\u001b[K' : ''}${text}\n`)
  }

  #write(text: string): void {
    if (!this.#isClosed) this.#output.write(text)
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
