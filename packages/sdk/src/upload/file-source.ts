import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { ByteSource } from './source.ts'

const MiB = 2 ** 20
/** The most that the server takes at once; bytes are read as they are sent, so the size costs no memory. */
const fileSliceBytes = 64 * MiB
const readBytes = MiB
/**
 * A new buffer for every read would keep the garbage collector busier than the upload itself. One is being read into, one
 * waits, one is with the socket, which asks for the next when it is done; a fourth is one more than that takes.
 */
const inHand = 3

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
  let turn = 0
  const ring = Array.from({ length: inHand + 1 }, () => Buffer.allocUnsafeSlow(Math.min(readBytes, bytes)))
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const buffer = ring[turn++ % ring.length] as Buffer
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - done), from + done)
        if (bytesRead === 0) throw new Error('the file has become shorter while it was sent')
        done += bytesRead
        controller.enqueue(buffer.subarray(0, bytesRead))
        onSent(done)
        if (done === bytes) controller.close()
      },
    },
    { highWaterMark: 1 },
  )
}
