import type { ArchiveEntry } from '../archive-entry.ts'
import { maxExtensionBytes } from '../limits.ts'
import { quoted, refuseArchive, refuseEntry } from '../refusal.ts'
import { paxSparseFile, readSparseTable, SparseMapText, sparseTableFileBytes } from './sparse-forms.ts'
import { SparseMap } from './sparse-map.ts'
import { type TarEntry, tarEntry } from './tar-entry.ts'
import { extend, isExtended, isExtension, type TarExtensions } from './tar-extensions.ts'
import { parseTarHeader, type TarHeader, tarBlockBytes } from './tar-header.ts'

type Read = (bytes: Buffer) => void

/** Receives the data of a file in chunks; a chunk without bytes is the last. */
export interface ChunkConsumer {
  readonly write: (data: Buffer) => void
}

/** Receives every entry. May request its data: as a whole, which must be small, or in chunks. */
export interface EntryListener {
  add(entry: ArchiveEntry, bytes: number, how: 'plain' | 'sparse'): ((data: Buffer) => void) | ChunkConsumer | undefined
}

const zeros = Buffer.alloc(64 * 1024)
const nothing = zeros.subarray(0, 0)
const paddingAfter = (bytes: number): number => (tarBlockBytes - (bytes % tarBlockBytes)) % tarBlockBytes

/**
 * Reads a tar as a stream and passes every entry to its listener. It is stricter than tar programs: everything that two of
 * them could read differently is refused. Data that is not requested is skipped.
 */
export class TarReader {
  readonly #listener: EntryListener
  /** Bytes to skip before the next read. */
  #skip = 0
  /** The entry whose data is next, and the remaining bytes. */
  #transfer: { readonly to: ChunkConsumer; left: number } | undefined
  /** The requested number of bytes, and their consumer. */
  #requestedBytes = tarBlockBytes
  #read: Read
  /** The part of the request from previous chunks. */
  #held = Buffer.alloc(tarBlockBytes)
  #heldBytes = 0
  #extensions: TarExtensions = {}
  #ended = false
  #lastName: string | undefined

  constructor(listener: EntryListener) {
    this.#listener = listener
    this.#read = this.#header
  }

  push(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#ended) {
        requireZeros(chunk.subarray(at))
        at = chunk.length
      } else if (this.#transfer) {
        const data = chunk.subarray(at, at + this.#transfer.left)
        at += data.length
        this.#forward(this.#transfer, data)
      } else if (this.#skip > 0) {
        const passed = Math.min(this.#skip, chunk.length - at)
        this.#skip -= passed
        at += passed
      } else {
        const part = chunk.subarray(at, at + this.#requestedBytes - this.#heldBytes)
        at += part.length
        this.#collect(part)
      }
    }
  }

  end(): void {
    if (!this.#ended) throw refuseArchive(`its tar ends before its end mark, after ${this.#place()}`)
  }

  #place(): string {
    return this.#lastName === undefined ? 'its beginning' : `entry ${quoted(this.#lastName)}`
  }

  #collect(part: Buffer): void {
    let bytes = part
    if (part.length < this.#requestedBytes) {
      // copied into one reused buffer: small chunks must not become many small buffers
      if (this.#held.length < this.#requestedBytes) this.#held = Buffer.allocUnsafe(this.#requestedBytes)
      this.#heldBytes += part.copy(this.#held, this.#heldBytes)
      if (this.#heldBytes < this.#requestedBytes) return
      bytes = this.#held.subarray(0, this.#requestedBytes)
      this.#heldBytes = 0
    }
    this.#read(bytes)
  }

  #readNext(bytes: number, read: Read): void {
    this.#requestedBytes = bytes
    this.#read = read
    if (bytes === 0) read.call(this, nothing)
  }

  /** The following data is not needed. */
  #skipData(bytes: number): void {
    this.#skip = bytes + paddingAfter(bytes)
    this.#readNext(tarBlockBytes, this.#header)
  }

  #header(block: Buffer): void {
    if (isZero(block)) {
      if (isExtended(this.#extensions)) throw refuseArchive('its tar ends after an extended header')
      this.#ended = true
      return
    }
    const header = parseTarHeader(block)
    if (header === undefined) throw refuseArchive(`its tar is broken: no header follows ${this.#place()}`)
    if (isExtension(header.type)) this.#readExtension(header)
    else {
      const entry = tarEntry(header, this.#extensions)
      this.#lastName = entry.name
      this.#entry(header, block, entry)
      this.#extensions = {}
    }
  }

  #readExtension(header: TarHeader): void {
    const { type, size } = header
    if (size === undefined || size > maxExtensionBytes)
      throw refuseArchive(`an extended header of its tar is larger than ${maxExtensionBytes} bytes`)
    this.#readNext(size, (data) => {
      extend(this.#extensions, type, data)
      this.#skip = paddingAfter(size)
      this.#readNext(tarBlockBytes, this.#header)
    })
  }

  #entry(header: TarHeader, block: Buffer, entry: TarEntry): void {
    const pax = this.#extensions.pax && paxSparseFile(entry, this.#extensions.pax)
    if (header.type === 'S') {
      if (header.dialect !== 'gnu' || pax)
        throw refuseEntry(entry.name, 'is sparse in a form that programs read differently')
      this.#sparseTable(entry, block)
    } else if (pax === undefined) this.#plain(entry)
    else if (pax.map === 'before its data') this.#sparseText(entry, pax.fileBytes)
    else this.#sparse(entry, entry.storedBytes)
  }

  /** After a valid map. */
  #sparse(entry: TarEntry, dataBytes: number): void {
    this.#listener.add(entry, dataBytes, 'sparse')
    this.#skipData(dataBytes)
  }

  #plain(entry: TarEntry): void {
    const consumer = this.#listener.add(entry, entry.storedBytes, 'plain')
    if (consumer === undefined) this.#skipData(entry.storedBytes)
    else if ('write' in consumer) {
      const transfer = { to: consumer, left: entry.storedBytes }
      this.#skip = paddingAfter(entry.storedBytes)
      this.#readNext(tarBlockBytes, this.#header)
      this.#transfer = transfer
      if (transfer.left === 0) this.#forward(transfer, nothing)
    } else {
      this.#readNext(entry.storedBytes, (data) => {
        consumer(data)
        this.#skip = paddingAfter(data.length)
        this.#readNext(tarBlockBytes, this.#header)
      })
    }
  }

  #forward(transfer: { readonly to: ChunkConsumer; left: number }, data: Buffer): void {
    if (data.length > 0) transfer.to.write(data)
    transfer.left -= data.length
    if (transfer.left > 0) return
    this.#transfer = undefined
    transfer.to.write(nothing)
  }

  #sparseTable(entry: TarEntry, header: Buffer): void {
    const map = new SparseMap(entry.name)
    const fileBytes = sparseTableFileBytes(header)
    const next = ({ more }: { more: boolean }): void => {
      if (more) this.#readNext(tarBlockBytes, (block) => next(readSparseTable(map, block, 'block')))
      else {
        map.finish(fileBytes, entry.storedBytes)
        this.#sparse(entry, entry.storedBytes)
      }
    }
    next(readSparseTable(map, header, 'header'))
  }

  #sparseText(entry: TarEntry, fileBytes: number): void {
    const map = new SparseMap(entry.name)
    const text = new SparseMapText(map)
    const read = (block: Buffer): void => {
      const { more } = text.read(block)
      const bytes = entry.storedBytes - text.bytes
      if (bytes < 0 || (more && bytes === 0)) map.refuse()
      if (more) this.#readNext(tarBlockBytes, read)
      else {
        map.finish(fileBytes, bytes)
        this.#sparse(entry, bytes)
      }
    }
    this.#readNext(tarBlockBytes, read)
  }
}

const isZero = (block: Buffer): boolean => block.equals(zeros.subarray(0, block.length))

/** GNU tar stops at the end mark, others read on: no data may follow. */
function requireZeros(rest: Buffer): void {
  for (let at = 0; at < rest.length; at += zeros.length) {
    if (!isZero(rest.subarray(at, at + zeros.length))) throw refuseArchive('data follows the end mark of its tar')
  }
}
