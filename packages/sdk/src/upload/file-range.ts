import type { FileHandle } from 'node:fs/promises'
import { UploadError } from '../error.ts'

/** The part of a file that one request sends. */
export interface FileRange {
  readonly file: FileHandle
  readonly from: number
  readonly bytes: number
  onSent(bytes: number): void
}

/** The bytes after the first `done` ones; the system may return fewer than fit the buffer. */
export async function readNext(
  { file, from, bytes }: FileRange,
  done: number,
  buffer: Uint8Array,
): Promise<Uint8Array> {
  const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - done), from + done)
  if (bytesRead === 0) throw new UploadError('the file was truncated during the upload')
  return buffer.subarray(0, bytesRead)
}
