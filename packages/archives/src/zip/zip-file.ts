import { close, createReadStream, open, read } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { asZipRefusal } from '../refusal.ts'

/** The directory of a zip is read in many tiny steps, nearly in order. */
const windowBytes = 256 * 1024

const emptyWindow = (): Window => ({ bytes: Buffer.allocUnsafe(windowBytes), start: 0, end: 0 })

type Done = (error: Error | null, bytesRead?: number) => void

/** Streams share the file with the directory and must not close it, not even when they are destroyed. */
const onlyRead = { open, read, close: (_fd: number, done: (error: null) => void) => done(null) }

interface Window {
  readonly bytes: Buffer
  start: number
  end: number
}

/**
 * A file on this node that keeps two pieces in memory, each around some recent read: reading goes back and forth
 * between the directory and what it describes.
 */
class WindowedFile extends RandomAccessReader {
  readonly #fd: number
  /** The one used last comes first. */
  #windows: readonly [Window, Window] = [emptyWindow(), emptyWindow()]

  constructor(fd: number) {
    super()
    this.#fd = fd
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: Done): void {
    const [first, second] = this.#windows
    const copy = ({ bytes, start, end }: Window) =>
      bytes.copy(buffer, offset, position - start, Math.min(position - start + length, end - start))
    const covers = ({ start, end }: Window) => position >= start && position + length <= end
    if (length > windowBytes) read(this.#fd, buffer, offset, length, position, done)
    else if (covers(first)) done(null, copy(first))
    else {
      this.#windows = [second, first]
      if (covers(second)) done(null, copy(second))
      else this.#fill(second, position, (error) => (error ? done(error) : done(null, copy(second))))
    }
  }

  #fill(window: Window, position: number, done: (error: Error | null) => void): void {
    window.end = window.start
    read(this.#fd, window.bytes, 0, windowBytes, position, (error, bytesRead) => {
      window.start = position
      window.end = error ? position : position + bytesRead
      done(error)
    })
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream('', { fd: this.#fd, fs: onlyRead, start, end: end - 1, highWaterMark: windowBytes })
  }

  override close(done: (error: Error | null) => void): void {
    close(this.#fd, (error) => done(error ?? null))
  }
}

export interface OpenZip {
  readonly zip: ZipFile
  readonly fileBytes: number
  read(buffer: Buffer, position: number): Promise<void>
}

export async function openZip(file: string): Promise<OpenZip> {
  const { size } = await stat(file)
  const fd = await promisify(open)(file, 'r')
  const reader = new WindowedFile(fd)
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, {
      decodeStrings: false,
      autoClose: false,
      validateEntrySizes: true,
    })
    return {
      zip,
      fileBytes: size,
      read: (buffer, position) =>
        new Promise((resolve, reject) => {
          reader.read(buffer, 0, buffer.length, position, (error) => (error ? reject(error) : resolve()))
        }),
    }
  } catch (error) {
    await promisify(close)(fd)
    throw asZipRefusal(error)
  }
}
