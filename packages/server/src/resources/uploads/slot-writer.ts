import type { FileHandle } from 'node:fs/promises'
import type { SliceHash } from './hasher.ts'
import { slotBytes } from './limits.ts'
import type { SliceBody } from './slice-body.ts'
import type { Slots } from './slots.ts'

export interface Destination {
  readonly file: FileHandle
  /** Where in the file the slice begins. */
  readonly offset: number
  readonly hash: SliceHash
  readonly slots: Slots
  /** Throws when the disk has no space for so many bytes. */
  claim(bytes: number): Promise<void>
}

/**
 * Gives each full slot to the disk and to the hashing thread at once. The writes go one after the other, so that the
 * file is a beginning of the upload at every moment, also after kill -9.
 */
export class SlotWriter {
  readonly #destination: Destination
  #position: number
  #written: Promise<void> = Promise.resolve()

  constructor(destination: Destination) {
    this.#destination = destination
    this.#position = destination.offset
  }

  /** What waits, up to a slot of it; the slot is released by itself. Throws when the disk refuses. */
  async write(slot: number, body: SliceBody): Promise<void> {
    const { slots, hash, file, claim } = this.#destination
    const view = slots.view(slot, Math.min(body.waitingBytes, slotBytes))
    body.take(view)
    const position = this.#position
    this.#position += view.length
    // in the order of arrival: a hash in the order of finished writes would be another one
    const hashed = hash.update(slot, view.length)
    const written = this.#written.then(() => claim(view.length)).then(() => writeAll(file, view, position))
    this.#written = written
    void Promise.allSettled([hashed, written]).then(() => slots.release(slot))
    await written
  }

  /**
   * All of it is in the file; throws when it is not. The hash may be behind: what is asked of it is answered in its
   * turn, and the next slice can come in the meantime.
   */
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
