import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { UploadError } from '../error.ts'
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
        return { body: read(file, offset, bytes, { onSent, onFailure }), bytes, isLast: offset + bytes === size }
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

interface Told {
  onSent(bytes: number): void
  onFailure(error: Error): void
}

function read(file: FileHandle, from: number, bytes: number, { onSent, onFailure }: Told) {
  let done = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await readAt(file, from + done, Math.min(readBytes, bytes - done)).catch((error: Error) => {
          onFailure(error)
          throw error
        })
        done += piece.length
        controller.enqueue(piece)
        onSent(done)
        if (done === bytes) controller.close()
      },
    },
    { highWaterMark: 2 },
  )
}

/** A buffer of its own each time: whoever sends may keep it for as long as it likes. */
async function readAt(file: FileHandle, position: number, maxBytes: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(maxBytes)
  const { bytesRead } = await file.read(buffer, 0, maxBytes, position)
  if (bytesRead === 0) throw new UploadError('the file has become shorter while it was sent')
  return buffer.subarray(0, bytesRead)
}
