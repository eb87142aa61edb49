import type { FastifyReply } from 'fastify'
import type { Unsent, UnsentBytes } from './unsent-bytes.ts'

/** A reader with more unread bytes is disconnected; it can reconnect with Last-Event-ID. */
const maxPendingBytes = 1024 * 1024
const keepAliveMs = 15_000
/** With this many bytes unsent, reading from the database pauses. */
const enoughPendingBytes = 256 * 1024
/** A reader that reads nothing for this long is disconnected. */
const maxStallMs = 30_000

export interface StreamEvent {
  id?: number
  event?: string
  data: string
}

/** Server-sent events over one response. */
export class SseWriter {
  readonly #raw
  readonly #keepAlive: NodeJS.Timeout
  readonly #closers: (() => void)[] = []
  readonly #maxStallMs: number
  #unsent: Unsent | undefined
  closed = false

  constructor(reply: FastifyReply, limits: { maxStallMs?: number } = {}) {
    this.#maxStallMs = limits.maxStallMs ?? maxStallMs
    reply.hijack()
    this.#raw = reply.raw
    this.#raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    this.#raw.write(': wharf\n\n')
    this.#keepAlive = setInterval(() => this.#write(': \n\n'), keepAliveMs)
    this.#raw.on('close', () => this.#close())
    // a caller that disconnected during authentication emits no second close event
    if (this.#raw.destroyed) this.#close()
  }

  /** Counts its unsent bytes, which may disconnect its reader. */
  countUnsent(unsentBytes: UnsentBytes): void {
    const unsent = unsentBytes.open(() => this.#disconnect())
    this.#unsent = unsent
    this.#raw.on('drain', () => unsent.set(0))
    this.onClose(() => unsent.close())
  }

  onClose(work: () => void): void {
    if (this.closed) work()
    else this.#closers.push(work)
  }

  send({ id, event, data }: StreamEvent): void {
    const lines = data.split('\n').map((line) => `data: ${line}\n`)
    this.#write(
      `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`,
    )
  }

  /** Back-pressure: resolves when the reader has read the sent bytes, or is disconnected. */
  async drained(): Promise<void> {
    if (this.closed || this.#raw.writableLength < enoughPendingBytes) return
    const timer = setTimeout(() => this.#disconnect(), this.#maxStallMs)
    await new Promise<void>((resolve) => {
      this.#raw.once('close', resolve)
      this.#raw.write(': \n\n', () => {
        this.#raw.off('close', resolve)
        resolve()
      })
    })
    clearTimeout(timer)
  }

  /** Flushes sent bytes within a time limit: a closed stream does not keep its connection. */
  end(): void {
    if (this.closed) return
    const timer = setTimeout(() => this.#raw.destroy(), this.#maxStallMs)
    this.#raw.once('close', () => clearTimeout(timer))
    this.#raw.end()
    this.#close()
  }

  #write(text: string): void {
    if (this.closed) return
    // false: earlier bytes are still unread
    const isFlushed = this.#raw.write(text)
    const { writableLength } = this.#raw
    if (writableLength > maxPendingBytes) this.#disconnect()
    else if (!isFlushed) this.#unsent?.set(writableLength)
  }

  #disconnect(): void {
    this.#raw.destroy()
    this.#close()
  }

  #close(): void {
    if (this.closed) return
    this.closed = true
    clearInterval(this.#keepAlive)
    for (const work of this.#closers) work()
  }
}
