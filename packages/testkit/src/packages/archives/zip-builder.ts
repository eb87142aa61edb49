import { crc32, deflateRawSync } from 'node:zlib'

/** Zip by hand, in which the directory and the local headers may differ. */

export interface ZipItem {
  readonly name: string | Buffer
  readonly data?: Buffer | string
  /** 0 stored, 8 deflated. */
  readonly method?: number
  /** Of Unix, with the type of the file: 0o100644, 0o120777 … */
  readonly mode?: number
  readonly flags?: number
  readonly extra?: Buffer
  /** What the directory declares instead. */
  readonly declared?: Partial<Declared>
  /** What the local header declares instead. */
  readonly local?: Partial<Declared>
  readonly dosAttributes?: number
  /** Put into the file as they are, instead of the deflated data. */
  readonly raw?: Buffer
  /** Point at the data of an earlier item instead of having own data. */
  readonly at?: number
}

interface Declared {
  name: string | Buffer
  crc: number
  compressed: number
  uncompressed: number
  method: number
  flags: number
  extra: Buffer
}

export interface ZipOptions {
  readonly comment?: Buffer
  readonly after?: Buffer
  /** Changes the end record. */
  readonly patchEnd?: (end: Buffer) => void
  /** Bytes between the directory and the end record. */
  readonly beforeEnd?: (directoryOffset: number, directoryBytes: number, entries: number) => Buffer
}

export function zipOf(items: readonly ZipItem[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let at = 0
  const put = (part: Buffer) => {
    parts.push(part)
    at += part.length
  }
  for (const item of items) {
    const offset = item.at === undefined ? at : (offsets[item.at] as number)
    offsets.push(offset)
    const { declared, stored } = described(item)
    if (item.at === undefined) {
      put(localHeader({ ...declared, ...item.local }))
      put(stored)
    }
    directory.push(directoryEntry({ ...declared, ...item.declared }, item, offset))
  }
  const directoryOffset = at
  for (const part of directory) put(part)
  const directoryBytes = at - directoryOffset
  put(options.beforeEnd?.(directoryOffset, directoryBytes, items.length) ?? Buffer.alloc(0))
  put(endRecord(directoryOffset, directoryBytes, items.length, options))
  put(options.after ?? Buffer.alloc(0))
  return Buffer.concat(parts)
}

function described({ name, data = '', method = 0, flags = 0x800, extra = Buffer.alloc(0), raw }: ZipItem) {
  const bytes = Buffer.from(data as string)
  const stored = raw ?? (method === 8 ? deflateRawSync(bytes) : bytes)
  const declared: Declared = {
    name,
    crc: crc32(bytes),
    compressed: stored.length,
    uncompressed: bytes.length,
    method,
    flags,
    extra,
  }
  return { declared, stored }
}

function localHeader({ name, crc, compressed, uncompressed, method, flags, extra }: Declared): Buffer {
  const bytes = Buffer.from(name as string)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt16LE(0x5d6f, 12)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(compressed, 18)
  header.writeUInt32LE(uncompressed, 22)
  header.writeUInt16LE(bytes.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, bytes, extra])
}

function directoryEntry(declared: Declared, { mode = 0o100644, dosAttributes = 0 }: ZipItem, offset: number): Buffer {
  const bytes = Buffer.from(declared.name as string)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE((3 << 8) | 20, 4)
  entry.writeUInt16LE(20, 6)
  entry.writeUInt16LE(declared.flags, 8)
  entry.writeUInt16LE(declared.method, 10)
  entry.writeUInt16LE(0x5d6f, 14)
  entry.writeUInt32LE(declared.crc, 16)
  entry.writeUInt32LE(declared.compressed, 20)
  entry.writeUInt32LE(declared.uncompressed, 24)
  entry.writeUInt16LE(bytes.length, 28)
  entry.writeUInt16LE(declared.extra.length, 30)
  entry.writeUInt32LE(mode * 0x10000 + dosAttributes, 38)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, bytes, declared.extra])
}

function endRecord(offset: number, bytes: number, entries: number, { comment, patchEnd }: ZipOptions): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment?.length ?? 0, 20)
  patchEnd?.(end)
  return Buffer.concat([end, comment ?? Buffer.alloc(0)])
}

/** An extra field of a zip. */
function zipExtra(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** Info-ZIP's second name in UTF-8. */
export function unicodePath(rawName: string, name: string): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(1, 0)
  head.writeUInt32LE(crc32(Buffer.from(rawName)), 1)
  return zipExtra(0x7075, Buffer.concat([head, Buffer.from(name)]))
}

/** Sizes of 64 bits. */
export function wideSizes(...sizes: number[]): Buffer {
  const data = Buffer.alloc(sizes.length * 8)
  sizes.forEach((size, index) => {
    data.writeBigUInt64LE(BigInt(size), index * 8)
  })
  return zipExtra(1, data)
}
