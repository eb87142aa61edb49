import { fileSource } from '#file-source'
import { type ByteSource, blobSource } from './source.ts'
import { StreamSource } from './stream-source.ts'

/** A File or Blob, the path of a file (in Node), or a stream of bytes. */
export type UploadSource = Blob | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

interface Opening {
  /** Of what has none by itself. */
  readonly name: string | undefined
  /** Somebody has given a fetch, which is to be used for everything. */
  readonly byFetch: boolean
}

export async function openSource(source: UploadSource, { name = 'package', byFetch }: Opening): Promise<ByteSource> {
  if (typeof source === 'string') return fileSource(source, byFetch)
  if (source instanceof Blob) return blobSource(source, source instanceof File ? source.name : name)
  const stream = source instanceof ReadableStream ? source : streamOf(source)
  return new StreamSource(stream, name)
}

/** Node's own streams are iterable; ReadableStream.from is not there in every browser. */
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
