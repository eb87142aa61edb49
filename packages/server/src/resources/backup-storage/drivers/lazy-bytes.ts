import { Readable } from 'node:stream'
import { onAbort } from '@wharf/platform/abort.ts'

const readAheadBytes = 256 * 1024

/**
 * A stream that opens what it reads when it is read. The signal that `open` gets also ends when nobody wants the stream
 * any more, so that nothing goes on behind it.
 */
export function lazyBytes(signal: AbortSignal, open: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Readable {
  const unwanted = new AbortController()
  const bytes = Readable.from(nonEmpty(open(AbortSignal.any([signal, unwanted.signal]))), {
    objectMode: false,
    highWaterMark: readAheadBytes,
  })
  const listening = onAbort(signal, () => void bytes.destroy(signal.reason))
  bytes.once('close', () => {
    listening[Symbol.dispose]()
    unwanted.abort()
  })
  return bytes
}

/** An empty chunk would be taken for the end. */
async function* nonEmpty(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) if (chunk.length > 0) yield chunk
}
