import { ConnectionError, WharfError } from '../error.ts'
import { foreign } from '../http/answer.ts'
import { pause } from '../http/pause.ts'
import type { Request, Transport } from '../http/transport.ts'
import { readEvents, type ServerSentEvent } from './server-sent.ts'

const firstPauseMs = 250
const maxPauseMs = 15_000

export interface Following {
  signal?: AbortSignal | undefined
  /** Told each time the stream stands, and when it no longer does. */
  onConnection?: ((isOpen: boolean) => void) | undefined
  /** Told why it fails, before it is tried again; what this throws ends the stream. */
  onFailure?: ((error: unknown) => void) | undefined
}

interface Followed extends Following, Pick<Request, 'path' | 'query' | 'isPublic'> {
  lastEventId?: string | undefined
}

/**
 * A stream that is taken up again after its last event whenever it breaks, until the signal or the reader ends it. It
 * throws when the server refuses it, and when the first answer is that of no Wharf server.
 */
export async function* followEvents(transport: Transport, followed: Followed): AsyncGenerator<ServerSentEvent> {
  const { path, query, signal, isPublic, onConnection, onFailure } = followed
  let wasHeard = false
  let lastEventId = followed.lastEventId
  for (let failed = 0; ; failed++) {
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (lastEventId !== undefined) headers['last-event-id'] = lastEventId
      const response = await transport.open({ method: 'GET', path, query, headers, signal, isPublic })
      requireEvents(transport.url, response)
      // not before something has come through: a proxy may keep it all to itself
      let isOpen = false
      const onSign = (): void => {
        if (!isOpen) onConnection?.(true)
        isOpen = true
        wasHeard = true
      }
      for await (const event of readEvents(response, { onSign })) {
        lastEventId = event.id ?? lastEventId
        failed = 0
        yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof WharfError && error.status < 500 && error.status !== 429) throw error
      if (error instanceof ConnectionError && error.isForeign && !wasHeard) throw error
      onFailure?.(error)
    }
    onConnection?.(false)
    await pause(Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failed, 10)), signal)
  }
}

function requireEvents(url: string, { status, headers, body }: Response): void {
  const type = headers.get('content-type') ?? ''
  if (type === '' || type.startsWith('text/event-stream')) return
  body?.cancel().catch(() => {})
  throw foreign(url, { status, headers })
}
