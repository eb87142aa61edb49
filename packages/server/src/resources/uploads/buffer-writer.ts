import type { FileHandle } from 'node:fs/promises'
import { type BufferPool, bufferBytes } from '@wharf/platform/buffer-pool.ts'
import type { SliceHash } from '@wharf/platform/hashing-thread.ts'
import type { SliceBody } from './slice-body.ts'

export interface Destination {
  readonly file: FileHandle
  /** Where in the file the slice starts. */
  readonly offset: number
  readonly hash: SliceHash
  readonly buffers: BufferPool
  /** Throws when the disk has less free space. */
  claim(bytes: number): Promise<void>
}

/**
 * Passes each full buffer to the disk and to the hashing thread in parallel. The writes run one after the other, so that
 * the file is always a prefix of the upload, also after kill -9.
 */
export class BufferWriter {
  readonly #destination: Destination
  #position: number
  #written: Promise<void> = Promise.resolve()

  constructor(destination: Destination) {
    this.#destination = destination
    this.#position = destination.offset
  }

  /** Writes the waiting bytes, at most one buffer; then releases the buffer. Throws when the write fails. */
  async write(buffer: number, body: SliceBody): Promise<void> {
    const { buffers, hash, file, claim } = this.#destination
    const view = buffers.view(buffer, Math.min(body.waitingBytes, bufferBytes))
    body.take(view)
    const position = this.#position
    this.#position += view.length
    // in the order of arrival, which the order of finished writes may differ from
    const hashed = hash.update(buffer, view.length)
    const written = this.#written.then(() => claim(view.length)).then(() => writeAll(file, view, position))
    this.#written = written
    void Promise.allSettled([hashed, written]).then(() => buffers.release(buffer))
    await written
  }

  /** Returns when all bytes are in the file. The hash may be behind: it answers in order, also after the next slice. */
  async done(): Promise<void> {
    await this.#written
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
