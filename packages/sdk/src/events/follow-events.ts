import { ConnectionError, WharfError } from '../error.ts'
import { sleep } from '../http/abortable.ts'
import { foreignAnswerError } from '../http/answer.ts'
import { backoffMs } from '../http/retry.ts'
import type { Request, Transport } from '../http/transport.ts'
import { readEvents, type ServerSentEvent } from './server-sent-events.ts'

const firstPauseMs = 250
const maxPauseMs = 15_000

export interface FollowOptions {
  signal?: AbortSignal | undefined
  /** Called when the stream opens and when it breaks. */
  onConnection?: ((isOpen: boolean) => void) | undefined
  /** Called with each failure before the stream reconnects; an exception ends the stream. */
  onFailure?: ((error: unknown) => void) | undefined
}

interface Stream extends FollowOptions, Pick<Request, 'path' | 'query' | 'isPublic'> {
  lastEventId?: string | undefined
}

/**
 * Reads a stream of events and resumes it after the last event whenever it breaks. Throws when the server refuses the
 * request, and when the first response is not from a Wharf server.
 */
export async function* followEvents(transport: Transport, stream: Stream): AsyncGenerator<ServerSentEvent> {
  const { path, query, signal, isPublic, onConnection, onFailure } = stream
  let hasReceived = false
  let lastEventId = stream.lastEventId
  for (let failures = 0; ; failures++) {
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
      const response = await transport.open({ method: 'GET', path, query, headers, signal, isPublic })
      requireEventStream(transport.url, response)
      // open only after the first byte: a proxy may buffer the whole stream
      let isOpen = false
      const onActivity = (): void => {
        if (!isOpen) onConnection?.(true)
        isOpen = true
        hasReceived = true
      }
      for await (const event of readEvents(response, { onActivity })) {
        lastEventId = event.id ?? lastEventId
        failures = 0
        yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof WharfError && error.status < 500 && error.status !== 429) throw error
      if (error instanceof ConnectionError && error.isForeign && !hasReceived) throw error
      onFailure?.(error)
    }
    onConnection?.(false)
    await sleep(Math.random() * backoffMs(failures, firstPauseMs, maxPauseMs), signal)
  }
}

function requireEventStream(url: string, { status, headers, body }: Response): void {
  const type = headers.get('content-type') ?? ''
  if (type === '' || type.startsWith('text/event-stream')) return
  body?.cancel().catch(() => {})
  throw foreignAnswerError(url, { status, headers })
}
