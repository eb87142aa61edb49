import { UploadError } from '../error.ts'

/** A file handle, or bytes that are read like a file. */
export interface ReadableBytes {
  read(buffer: Uint8Array, at: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}

/** The part of a file that one request sends. */
export interface FileRange {
  readonly file: ReadableBytes
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
