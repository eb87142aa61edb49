import type { EventStream } from './event-stream.ts'

/** The streams that are open now, so that draining can close them. */
export class OpenStreams {
  readonly #streams = new Set<EventStream>()
  #ended = false

  add(stream: EventStream): void {
    this.#streams.add(stream)
    stream.onClose(() => this.#streams.delete(stream))
    // its caller was let in just before the draining began
    if (this.#ended) stream.end()
  }

  get size(): number {
    return this.#streams.size
  }

  endAll(): void {
    this.#ended = true
    for (const stream of [...this.#streams]) stream.end()
  }
}
