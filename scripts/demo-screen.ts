/** Standard output, as far as it is needed. */
interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
  on(event: 'error', listener: () => void): unknown
}

/** What the tour shows: a line for each step, with how far it is while it runs and how long it took. */
export class DemoScreen {
  readonly #began = performance.now()
  readonly #output: Terminal
  readonly #isTerminal: boolean
  #isClosed = false

  /** `onClosed` when nobody reads any more, as in `npm run demo | head`. */
  constructor(output: Terminal, onClosed: () => void) {
    this.#output = output
    this.#isTerminal = output.isTTY === true
    output.on('error', () => {
      if (this.#isClosed) return
      this.#isClosed = true
      onClosed()
    })
  }

  say(text = ''): void {
    this.#write(`${text}\n`)
  }

  /** `work` may tell how far it is; a terminal shows it on the line of the step. */
  async step<T>(title: string, work: (tell: (how: string) => void) => Promise<T>): Promise<T> {
    const began = performance.now()
    const tell = (how: string): void => {
      if (this.#isTerminal) this.#write(`\r\u001b[K  … ${title}: ${how}`)
    }
    tell('')
    try {
      const result = await work(tell)
      this.#line(`  ✔ ${title} (${seconds(performance.now() - began)})`)
      return result
    } catch (error) {
      this.#line(`  ✖ ${title}`)
      throw error
    }
  }

  /** A text between two rules, as a message stands in a chat. */
  frame(title: string, text: string): void {
    this.say(`\n  ┌─ ${title}`)
    for (const line of text.split('\n')) this.say(`  │ ${line}`)
    this.say('  └─\n')
  }

  get took(): string {
    return seconds(performance.now() - this.#began)
  }

  #line(text: string): void {
    this.#write(`${this.#isTerminal ? '\r\u001b[K' : ''}${text}\n`)
  }

  #write(text: string): void {
    if (!this.#isClosed) this.#output.write(text)
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
