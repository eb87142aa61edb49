import { deferred } from '../deferred.ts'

export interface ServerSentEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** The server sends a sign of life every 15 s; after three that are missing the connection is dead. */
const maxSilenceMs = 45_000

/** Reads a stream of server-sent events to its end; `onSign` is told of every sign of life. Throws when the connection breaks or falls silent. */
export async function* readEvents(
  response: Response,
  { silenceMs = maxSilenceMs, onSign }: { silenceMs?: number; onSign?: (() => void) | undefined } = {},
): AsyncGenerator<ServerSentEvent> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader, silenceMs)
      if (done) return
      onSign?.()
      pending += decoder.decode(value, { stream: true })
      const blocks = pending.split(/\r?\n\r?\n/)
      pending = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event) yield event
      }
    }
  } finally {
    // whoever stops reading hangs up
    reader.cancel().catch(() => {})
  }
}

async function withinSilence(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  const silent = deferred<never>()
  const timer = setTimeout(() => silent.reject(new Error(`nothing came for ${silenceMs / 1000} s`)), silenceMs)
  try {
    return await Promise.race([reader.read(), silent.promise])
  } finally {
    clearTimeout(timer)
  }
}

function parse(block: string): ServerSentEvent | undefined {
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
