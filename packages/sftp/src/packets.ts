/** SFTP version 3 (draft-ietf-secsh-filexfer-02): packet types and the encoding of values. */

export const packetType = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  stat: 17,
  rename: 18,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 200,
  extendedReply: 201,
} as const

export const openFlag = { read: 0x01, write: 0x02, create: 0x08, exclusive: 0x20 } as const

export const statusCode = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  unsupported: 8,
} as const

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const uint64 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

/** A length and that many bytes; text is UTF-8. */
export const string = (value: string | Buffer): Buffer => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([uint32(bytes.length), bytes])
}

const flagPermissions = 0x04
export const noAttributes = uint32(0)
export const permissions = (mode: number): Buffer => Buffer.concat([uint32(flagPermissions), uint32(mode)])

export interface Attributes {
  readonly size: number | undefined
  readonly mode: number | undefined
}

const typeMask = 0o170000
export const isFile = ({ mode }: Attributes): boolean => mode !== undefined && (mode & typeMask) === 0o100000
export const isFolder = ({ mode }: Attributes): boolean => mode !== undefined && (mode & typeMask) === 0o040000

/** Reads the values of a packet in order; a packet that is too short throws a RangeError. */
export class PacketReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  uint32(): number {
    const value = this.#bytes.readUInt32BE(this.#at)
    this.#at += 4
    return value
  }

  /** Sizes above 2^53 are rounded. */
  uint64(): number {
    const value = this.#bytes.readBigUInt64BE(this.#at)
    this.#at += 8
    return Number(value)
  }

  string(): Buffer {
    const length = this.uint32()
    if (this.#at + length > this.#bytes.length) throw new RangeError('a string extends beyond its packet')
    const value = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return value
  }

  attributes(): Attributes {
    const flags = this.uint32()
    const has = (flag: number): boolean => (flags & flag) !== 0
    const size = has(0x01) ? this.uint64() : undefined
    if (has(0x02)) this.uint64()
    const mode = has(flagPermissions) ? this.uint32() : undefined
    if (has(0x08)) this.uint64()
    if (flags >>> 31 === 1) for (let count = this.uint32(); count > 0; count--) void [this.string(), this.string()]
    return { size, mode }
  }
}
