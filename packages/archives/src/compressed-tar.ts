import { createGunzip, createZstdDecompress } from 'node:zlib'
import { FirstBytes, isTar } from './archive-format.ts'
import type { EntryRules } from './entry-rules.ts'
import { maxRatio, ratioCountsFromBytes } from './limits.ts'
import { refuseArchive } from './refusal.ts'
import { TarReader } from './tar/tar-reader.ts'

/** Large pieces, so that a bomb is detected sooner. */
const chunkSize = 256 * 1024

const options = { chunkSize }
const decompressors = {
  // gzip may have several members; data after the last is checked in `#end`
  gzip: () => createGunzip(options),
  zstd: () => createZstdDecompress({ ...options, rejectGarbageAfterEnd: true }),
}

interface Options {
  readonly wrapping: 'gzip' | 'zstd'
  readonly rules: EntryRules
  /** Its name has the extension of an archive. */
  readonly claimed: boolean
  readonly onFailure: (error: Error) => void
}

/** Decompresses a copy of a possible compressed tar and inspects it, with only a small piece in memory. */
export class CompressedTar {
  readonly #options: Options
  readonly #unpacked
  readonly #done = Promise.withResolvers<void>()
  readonly #head = new FirstBytes()
  #tar: TarReader | undefined
  /** It contains no tar: what follows is not decompressed. */
  #isPlain = false
  #goOn: () => void = () => {}
  #compressedBytes = 0
  #unpackedBytes = 0

  constructor(options: Options) {
    this.#options = options
    this.#done.promise.catch(() => {})
    this.#unpacked = decompressors[options.wrapping]()
      .on('data', (chunk: Buffer) => this.#guard(() => this.#inspect(chunk)))
      .on('end', () => this.#guard(() => this.#end()))
      .on('error', (error) => this.#guard(() => this.#broken(error)))
      // a broken piece has no other end
      .on('close', () => this.#goOn())
  }

  /** Undefined before the end. */
  get hasTar(): boolean {
    return this.#tar !== undefined
  }

  /** Calls `next` when the chunk is decompressed: from then on its memory may be released. */
  push(chunk: Buffer, next: () => void): void {
    this.#compressedBytes += chunk.length
    this.#goOn = () => {
      this.#goOn = () => {}
      next()
    }
    if (this.#isPlain || this.#unpacked.destroyed) this.#goOn()
    else this.#unpacked.write(chunk, () => this.#goOn())
  }

  /** Resolves when all of it was inspected, or is not an archive. */
  end(): Promise<void> {
    if (!this.#isPlain && !this.#unpacked.destroyed) this.#unpacked.end()
    return this.#done.promise
  }

  close(): void {
    this.#unpacked.destroy()
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#unpacked.destroy()
      this.#done.reject(error)
      this.#options.onFailure(error as Error)
    }
  }

  #inspect(chunk: Buffer): void {
    if (this.#isPlain || this.#unpacked.destroyed) return
    this.#unpackedBytes += chunk.length
    if (this.#unpackedBytes > ratioCountsFromBytes && this.#unpackedBytes > maxRatio * this.#compressedBytes)
      throw refuseArchive(`it unpacks to more than ${maxRatio} times its size`)
    if (this.#tar === undefined) this.#begin(this.#head.add(chunk))
    else {
      this.#tar.push(chunk)
      releaseMemory(chunk)
    }
  }

  /** When the start suffices to determine the format. */
  #begin(head: Buffer | undefined): void {
    if (head === undefined) return
    if (isTar(head, this.#options.claimed)) {
      this.#tar = new TarReader(this.#options.rules)
      this.#tar.push(head)
    } else this.#isNoTar()
  }

  #end(): void {
    if (this.#tar === undefined) this.#isNoTar()
    else {
      // zeros end gzip data, and decompressors silently ignore what follows
      if (!this.#unpacked.writableEnded || this.#unpacked.bytesWritten !== this.#compressedBytes)
        throw refuseArchive(`something follows its ${this.#options.wrapping} data`)
      this.#tar.end()
      this.#done.resolve()
    }
  }

  /** A broken file with the magic of gzip or zstd is a plain file, unless it contained a tar. */
  #broken(error: Error): void {
    if (this.#tar === undefined && !this.#options.claimed) this.#isNoTar()
    else throw refuseArchive(`its ${this.#options.wrapping} data is broken (${error.message})`, error)
  }

  #isNoTar(): void {
    if (this.#options.claimed) throw refuseArchive('its name ends like an archive, but it contains no tar')
    // not destroyed: it may still read a piece, whose memory is released when it has
    this.#isPlain = true
    this.#done.resolve()
  }
}

/**
 * Frees the memory of a used chunk. The garbage collector would take longer than the decompression, and the process
 * would grow. A decompressor no longer needs its buffer when it has filled it.
 */
function releaseMemory({ buffer, byteOffset, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteOffset + length === buffer.byteLength) buffer.transfer(0)
}
