import type { EventStream } from './event-stream.ts'

/** The streams that are open now, so that draining can close them. */
export class OpenStreams {
  readonly #streams = new Set<EventStream>()

  add(stream: EventStream): void {
    this.#streams.add(stream)
    stream.onClose(() => this.#streams.delete(stream))
  }

  get size(): number {
    return this.#streams.size
  }

  endAll(): void {
    for (const stream of [...this.#streams]) stream.end()
  }
}
