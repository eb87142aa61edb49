import { fileSource } from '#file-source'
import { blobSource } from './blob-source.ts'
import type { ByteSource } from './byte-source.ts'
import { StreamSource } from './stream-source.ts'

/** A File or Blob, the path of a file (in Node), or a stream of bytes. */
export type UploadSource = Blob | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

interface OpenOptions {
  /** For a Blob or a stream, which has no name. */
  readonly name: string | undefined
  /** The client has a custom fetch, which must send every request. */
  readonly byFetch: boolean
}

export async function openSource(
  source: UploadSource,
  { name = 'package', byFetch }: OpenOptions,
): Promise<ByteSource> {
  if (typeof source === 'string') return fileSource(source, byFetch)
  if (source instanceof Blob) return blobSource(source, { name: source instanceof File ? source.name : name, byFetch })
  const stream = source instanceof ReadableStream ? source : streamOf(source)
  return new StreamSource(stream, { name, byFetch })
}

/** Not every browser has ReadableStream.from. */
function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
