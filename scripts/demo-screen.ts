/** What the tour shows: a line for each step, with how far it is while it runs and how long it took. */
export class DemoScreen {
  readonly #began = performance.now()
  readonly #isTerminal = process.stdout.isTTY === true

  say(text = ''): void {
    process.stdout.write(`${text}\n`)
  }

  /** `work` may tell how far it is; a terminal shows it on the line of the step. */
  async step<T>(title: string, work: (tell: (how: string) => void) => Promise<T>): Promise<T> {
    const began = performance.now()
    const tell = (how: string): void => {
      if (this.#isTerminal) process.stdout.write(`\r\u001b[K  … ${title}: ${how}`)
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
    process.stdout.write(`${this.#isTerminal ? '\r\u001b[K' : ''}${text}\n`)
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
