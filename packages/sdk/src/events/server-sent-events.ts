import { withTimeout } from '../http/abortable.ts'

export interface ServerSentEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** The server sends a keep-alive every 15 s; the connection is dead after three missing ones. */
const defaultIdleMs = 45_000

/** Reads server-sent events to the end of the stream. Throws when the connection breaks or is idle; `onActivity` runs for every chunk. */
export async function* readEvents(
  response: Response,
  { idleMs = defaultIdleMs, onActivity }: { idleMs?: number; onActivity?: (() => void) | undefined } = {},
): AsyncGenerator<ServerSentEvent> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const chunk = await withTimeout(reader.read(), idleMs)
      if (chunk === undefined) throw new Error(`no data for ${idleMs / 1000} s`)
      if (chunk.done) return
      onActivity?.()
      pending += decoder.decode(chunk.value, { stream: true })
      const blocks = pending.split(/\r?\n\r?\n/)
      pending = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    // close the connection when the reader stops
    reader.cancel().catch(() => {})
  }
}

function parseEvent(block: string): ServerSentEvent | undefined {
  const values: Record<string, string[]> = {}
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? []
    if (name === '') continue
    values[name] ??= []
    values[name].push(value)
  }
  const { id, event, data } = values
  return data === undefined ? undefined : { id: id?.[0], event: event?.[0], data: data.join('\n') }
}
