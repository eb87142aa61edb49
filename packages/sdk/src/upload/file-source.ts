import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { sendFile } from './file-request.ts'
import { fileStream } from './file-stream.ts'
import type { ByteSource, SliceRequest } from './source.ts'

/** The most that the server takes at once; bytes are read as they are sent, so the size costs no memory. */
const fileSliceBytes = 64 * 2 ** 20

/** A file by its path. Node only: pages have a File. `byFetch` when somebody has given one that must see all there is. */
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
        const piece = { file, from: offset, bytes, onSent }
        const body = byFetch
          ? fileStream(piece, onFailure)
          : { send: (url: string, request: SliceRequest) => sendFile(url, request, piece) }
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
