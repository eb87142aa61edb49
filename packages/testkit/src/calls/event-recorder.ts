import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from './client.ts'
import { EventReader, type ReadEvent } from './event-reader.ts'

/** Records every event of one stream, from open to close. */
export class EventRecorder {
  readonly events: ReadEvent[] = []
  /** Resolves when the server closes the stream. */
  readonly closed: Promise<void>
  readonly #reader: EventReader

  private constructor(reader: EventReader) {
    this.#reader = reader
    this.closed = this.#record()
    this.closed.catch(() => {})
  }

  /** Resolves when the server has subscribed: every later event is recorded. */
  static async open(client: Client, path = '/v1/events', headers: Record<string, string> = {}): Promise<EventRecorder> {
    const reader = new EventReader(client, path, headers)
    const status = await reader.status
    if (status !== 200) throw new Error(`the stream was answered with ${status}`)
    return new EventRecorder(reader)
  }

  async #record(): Promise<void> {
    for await (const event of this.#reader) this.events.push(event)
  }

  stop(): void {
    this.#reader.stop()
  }

  /** Resolves when this many events are recorded; fails after the timeout. */
  async waitForEvents(count: number, timeoutMs = 5000): Promise<void> {
    const until = performance.now() + timeoutMs
    while (this.events.length < count) {
      if (performance.now() > until) throw new Error(`${this.events.length} of ${count} events arrived`)
      await delay(5)
    }
  }

  /** `Created Tag <uuid>` for each event of the API. */
  get changes(): string[] {
    return this.events.map(({ data }) => {
      const { type, resourceType, uuid } = JSON.parse(data)
      return `${type} ${resourceType} ${uuid}`
    })
  }
}
