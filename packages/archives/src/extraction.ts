import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { ArchiveEntry } from './archive-entry.ts'
import type { ArchiveFormat } from './archive-format.ts'
import { entryParts } from './entry-name.ts'
import { refuseArchive, refuseEntry } from './refusal.ts'
import { type ChunkConsumer, TarReader } from './tar/tar-reader.ts'
import { zipToTar } from './zip-to-tar.ts'

/** An archive that passed the inspection. A zip is a file on this node; the others may be any stream. */
export type FoundArchive =
  | { readonly format: Exclude<ArchiveFormat, 'zip' | 'file'>; readonly bytes: Readable }
  | { readonly format: 'zip'; readonly file: string }

/** Consumes the data of one file. Data that it does not read is not extracted. */
export type FileConsumer = (path: string, data: Readable) => Promise<void>

const chunkSize = 256 * 1024

/** Passes the data of these files to the consumer, one after the other; every one of them, and each once. */
export async function extractFiles(
  archive: FoundArchive,
  paths: readonly string[],
  { consume, signal }: { consume: FileConsumer; signal: AbortSignal },
): Promise<void> {
  const files = new SelectedFiles(new Map(paths.map((path) => [entryParts(path).join('/'), path])), consume)
  const reader = new TarReader(files)
  try {
    for await (const chunk of unpacked(archive, signal)) {
      signal.throwIfAborted()
      reader.push(chunk)
      await files.drain()
    }
    reader.end()
  } catch (error) {
    files.fail(error)
    throw error
  }
  const missing = paths.find((path) => !files.seen.has(path))
  if (missing !== undefined) throw refuseArchive(`${JSON.stringify(missing)} is not in it`)
}

function unpacked(archive: FoundArchive, signal: AbortSignal): AsyncIterable<Buffer> {
  if (archive.format === 'zip') return zipToTar(archive.file, signal)
  const { bytes, format } = archive
  if (format === 'tar') return bytes
  const decompressor = format === 'tar.gz' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize })
  // a source that fails must not leave the reader waiting
  bytes.on('error', (error) => decompressor.destroy(error)).on('close', () => endIfCut(bytes, decompressor))
  decompressor.on('close', () => bytes.destroy())
  return bytes.pipe(decompressor)
}

function endIfCut(bytes: Readable, decompressor: { destroy(error: Error): unknown }): void {
  if (!bytes.readableEnded && !bytes.errored) decompressor.destroy(new Error('the archive was closed early'))
}

/** Forwards the data of requested files, no faster than it is consumed. */
class SelectedFiles {
  readonly seen = new Set<string>()
  readonly #selected: ReadonlyMap<string, string>
  readonly #consume: FileConsumer
  readonly #pending: (() => Promise<void>)[] = []
  #current: PassThrough | undefined
  #consumed: Promise<void> = Promise.resolve()

  constructor(selected: ReadonlyMap<string, string>, consume: FileConsumer) {
    this.#selected = selected
    this.#consume = consume
  }

  add({ kind, name }: ArchiveEntry, _bytes: number, how: 'plain' | 'sparse'): ChunkConsumer | undefined {
    const path = this.#selected.get(entryParts(name).join('/'))
    if (path === undefined) return undefined
    if (kind !== 'file') throw refuseEntry(name, `is a ${kind}; it must be a plain file`)
    if (how === 'sparse') throw refuseEntry(name, 'is stored with holes; pack it without --sparse')
    if (this.seen.has(path)) throw refuseEntry(name, 'is in the archive twice')
    this.seen.add(path)
    this.#pending.push(async () => this.#start(path))
    return { write: (data) => void this.#pending.push(() => this.#write(data)) }
  }

  /** Resolves when everything that was read has been consumed. */
  async drain(): Promise<void> {
    for (const write of this.#pending.splice(0)) await write()
  }

  fail(error: unknown): void {
    this.#current?.destroy(error as Error)
  }

  #start(path: string): void {
    const file = new PassThrough({ highWaterMark: chunkSize })
    // the consumer receives the error
    file.on('error', () => {})
    this.#current = file
    this.#consumed = this.#consume(path, file)
    // awaited with the last chunk; until then it must not receive more
    this.#consumed.catch((error: Error) => file.destroy(error))
  }

  async #write(data: Buffer): Promise<void> {
    const file = this.#current
    if (file === undefined) return
    if (data.length === 0) {
      file.end()
      this.#current = undefined
      return this.#consumed
    }
    if (file.destroyed) return this.#consumed
    if (!file.write(data)) await Promise.race([once(file, 'drain'), once(file, 'close').then(() => this.#consumed)])
  }
}
