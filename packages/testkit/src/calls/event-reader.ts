import type { Client } from './client.ts'

export interface ReadEvent {
  id: number | undefined
  event: string | undefined
  data: string
}

/** Reads server-sent events until `stop`. */
export class EventReader implements AsyncIterable<ReadEvent> {
  readonly #abort = new AbortController()
  readonly #response: Promise<Response>

  constructor(client: Client, path: string, headers: Record<string, string> = {}) {
    this.#response = client.fetch('GET', path, { headers, signal: this.#abort.signal })
  }

  get status(): Promise<number> {
    return this.#response.then(({ status }) => status)
  }

  stop(): void {
    this.#abort.abort()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ReadEvent> {
    const { body } = await this.#response
    if (body === null) return
    let pending = ''
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        pending += chunk
        const blocks = pending.split('\n\n')
        pending = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = parse(block)
          if (event) yield event
        }
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error
    }
  }

  /** The next `count` events; fails when they do not arrive in time. */
  async take(count: number, timeoutMs = 10_000): Promise<ReadEvent[]> {
    const events: ReadEvent[] = []
    const timer = setTimeout(() => this.stop(), timeoutMs)
    for await (const event of this) {
      events.push(event)
      if (events.length === count) break
    }
    clearTimeout(timer)
    if (events.length < count) throw new Error(`${events.length} of ${count} events arrived in ${timeoutMs} ms`)
    return events
  }
}

function parse(block: string): ReadEvent | undefined {
  const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  if (lines.length === 0) return undefined
  const of = (name: string): string[] =>
    lines.filter((l) => l.startsWith(`${name}: `)).map((l) => l.slice(name.length + 2))
  const [id] = of('id')
  return { id: id === undefined ? undefined : Number(id), event: of('event')[0], data: of('data').join('\n') }
}
