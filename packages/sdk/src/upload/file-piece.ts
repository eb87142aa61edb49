import type { FileHandle } from 'node:fs/promises'
import { UploadError } from '../error.ts'

/** What is sent of a file at once. */
export interface FilePiece {
  readonly file: FileHandle
  readonly from: number
  readonly bytes: number
  onSent(bytes: number): void
}

/** The next bytes behind those that are done; fewer than fit where the system gives fewer. */
export async function readNext({ file, from, bytes }: FilePiece, done: number, into: Uint8Array): Promise<Uint8Array> {
  const { bytesRead } = await file.read(into, 0, Math.min(into.length, bytes - done), from + done)
  if (bytesRead === 0) throw new UploadError('the file has become shorter while it was sent')
  return into.subarray(0, bytesRead)
}
