import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { ByteSource, SliceRequest } from './byte-source.ts'
import { sendFile } from './file-request.ts'
import { fileStream } from './file-stream.ts'

export { observedBody } from './file-body.ts'

/** The largest slice that the server accepts; a file is read while it is sent, so the size costs no memory. */
const fileSliceBytes = 64 * 2 ** 20

/** A file by its path, in Node. With `byFetch` a custom fetch sends the slices. */
export async function fileSource(path: string, byFetch: boolean): Promise<ByteSource> {
  const file = await open(path)
  try {
    const { size, mtimeMs } = await file.stat()
    let failure: Error | undefined
    const onFailure = (error: Error): void => {
      failure = error
    }
    return {
      name: basename(path),
      size,
      identity: `${resolve(path)} ${size} ${Math.trunc(mtimeMs)}`,
      sliceBytes: fileSliceBytes,
      async slice(offset, maxBytes, onSent) {
        const bytes = Math.min(maxBytes, size - offset)
        const range = { file, from: offset, bytes, onSent }
        const body = byFetch
          ? fileStream(range, onFailure)
          : { send: (url: string, request: SliceRequest) => sendFile(url, request, range) }
        return { body, bytes, isLast: offset + bytes === size }
      },
      get failure() {
        return failure
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}
