import type { Slice, SliceRequest } from './byte-source.ts'
import type { FileRange, ReadableBytes } from './file-range.ts'
import { sendFile } from './file-request.ts'

/** The body of a request that reports what is sent, in Node. A custom fetch reports only whole slices. */
export function observedBody(
  content: Uint8Array<ArrayBuffer> | Blob,
  onSent: (bytes: number) => void,
  byFetch: boolean,
): Slice['body'] {
  const bytes = content instanceof Blob ? content.size : content.length
  if (byFetch || bytes === 0) return content
  const range: FileRange = { file: readable(content), from: 0, bytes, onSent }
  return { send: (url: string, request: SliceRequest) => sendFile(url, request, range) }
}

const readable = (content: Uint8Array<ArrayBuffer> | Blob): ReadableBytes => ({
  async read(buffer, at, length, position) {
    const end = position + length
    const part =
      content instanceof Blob
        ? new Uint8Array(await content.slice(position, end).arrayBuffer())
        : content.subarray(position, end)
    buffer.set(part, at)
    return { bytesRead: part.length }
  },
})
