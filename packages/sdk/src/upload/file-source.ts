import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { ByteSource } from './source.ts'

const MiB = 2 ** 20
/** The most that the server takes at once; bytes are read as they are sent, so the size costs no memory. */
const fileSliceBytes = 64 * MiB
const readBytes = MiB

/** A file by its path. Node only: pages have a File. */
export async function fileSource(path: string): Promise<ByteSource> {
  const file = await open(path)
  try {
    const { size, mtimeMs } = await file.stat()
    return {
      name: basename(path),
      size,
      identity: `${resolve(path)} ${size} ${Math.trunc(mtimeMs)}`,
      sliceBytes: fileSliceBytes,
      async slice(offset, maxBytes, onSent) {
        const bytes = Math.min(maxBytes, size - offset)
        return { body: read(file, offset, bytes, onSent), bytes, isLast: offset + bytes === size }
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

function read(file: FileHandle, from: number, bytes: number, onSent: (bytes: number) => void) {
  let done = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, bytes - done))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, from + done)
        if (bytesRead === 0) throw new Error('the file has become shorter while it was sent')
        done += bytesRead
        controller.enqueue(buffer.subarray(0, bytesRead))
        onSent(done)
        if (done === bytes) controller.close()
      },
    },
    { highWaterMark: 2 },
  )
}
