import { Readable } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'

const readAheadBytes = 256 * 1024

/**
 * A stream that opens its source at the first read. The signal for `open` is also aborted when the stream is closed.
 */
export function lazyBytes(signal: AbortSignal, open: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Readable {
  const closed = new AbortController()
  const bytes = Readable.from(nonEmpty(open(AbortSignal.any([signal, closed.signal]))), {
    objectMode: false,
    highWaterMark: readAheadBytes,
  })
  const listening = onAbort(signal, () => void bytes.destroy(signal.reason))
  bytes.once('close', () => {
    listening[Symbol.dispose]()
    closed.abort()
  })
  return bytes
}

/** An empty chunk would end the stream. */
async function* nonEmpty(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk
}
