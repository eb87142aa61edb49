import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { ArchiveEntry } from './archive-entry.ts'
import type { ArchiveFormat } from './archive-format.ts'
import { entryParts } from './entry-name.ts'
import { refuseArchive, refuseEntry } from './refusal.ts'
import { type Pieces, TarReader } from './tar/tar-reader.ts'
import { zipToTar } from './zip-to-tar.ts'

/** An archive that passed the inspection. A zip is a file on this node; the others may be any stream. */
export type FoundArchive =
  | { readonly format: Exclude<ArchiveFormat, 'zip' | 'file'>; readonly bytes: Readable }
  | { readonly format: 'zip'; readonly file: string }

/** Consumes the data of one file. Data that it does not read is not extracted. */
export type TakeFile = (path: string, data: Readable) => Promise<void>

const chunkSize = 256 * 1024

/** Passes the data of these files to the consumer, one after the other; every one of them, and each once. */
export async function extractFiles(
  archive: FoundArchive,
  paths: readonly string[],
  { take, signal }: { take: TakeFile; signal: AbortSignal },
): Promise<void> {
  const poured = new Pouring(new Map(paths.map((path) => [entryParts(path).join('/'), path])), take)
  const reader = new TarReader(poured)
  try {
    for await (const chunk of unpacked(archive, signal)) {
      signal.throwIfAborted()
      reader.push(chunk)
      await poured.settle()
    }
    reader.end()
  } catch (error) {
    poured.fail(error)
    throw error
  }
  const missing = paths.find((path) => !poured.seen.has(path))
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
class Pouring {
  readonly seen = new Set<string>()
  readonly #wanted: ReadonlyMap<string, string>
  readonly #take: TakeFile
  readonly #steps: (() => Promise<void>)[] = []
  #open: PassThrough | undefined
  #taken: Promise<void> = Promise.resolve()

  constructor(wanted: ReadonlyMap<string, string>, take: TakeFile) {
    this.#wanted = wanted
    this.#take = take
  }

  add({ kind, name }: ArchiveEntry, _bytes: number, how: 'plain' | 'sparse'): Pieces | undefined {
    const path = this.#wanted.get(entryParts(name).join('/'))
    if (path === undefined) return undefined
    if (kind !== 'file') throw refuseEntry(name, `is a ${kind}; it must be a plain file`)
    if (how === 'sparse') throw refuseEntry(name, 'is stored with holes; pack it without --sparse')
    if (this.seen.has(path)) throw refuseEntry(name, 'is in the archive twice')
    this.seen.add(path)
    this.#steps.push(async () => this.#begin(path))
    return { piece: (data) => void this.#steps.push(() => this.#give(data)) }
  }

  /** Resolves when everything that was read has been consumed. */
  async settle(): Promise<void> {
    for (const step of this.#steps.splice(0)) await step()
  }

  fail(error: unknown): void {
    this.#open?.destroy(error as Error)
  }

  #begin(path: string): void {
    const open = new PassThrough({ highWaterMark: chunkSize })
    // the consumer receives the error
    open.on('error', () => {})
    this.#open = open
    this.#taken = this.#take(path, open)
    // awaited with the last piece; until then it must not receive more
    this.#taken.catch((error: Error) => open.destroy(error))
  }

  async #give(data: Buffer): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    if (data.length === 0) {
      open.end()
      this.#open = undefined
      return this.#taken
    }
    if (open.destroyed) return this.#taken
    if (!open.write(data)) await Promise.race([once(open, 'drain'), once(open, 'close').then(() => this.#taken)])
  }
}
