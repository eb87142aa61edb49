/** Messages of the SSH connection protocol (RFC 4254). */
export const messageType = {
  channelOpen: 90,
  channelOpenConfirmation: 91,
  channelOpenFailure: 92,
  channelWindowAdjust: 93,
  channelData: 94,
  channelExtendedData: 95,
  channelEof: 96,
  channelClose: 97,
  channelRequest: 98,
  channelFailure: 100,
} as const

/** More than any message of ssh has. */
const maxMessageBytes = 1024 * 1024

const none = Buffer.alloc(0)

type Field = number | string | boolean

/** A message as a control socket carries it: its length, no padding, its type and its fields. */
export function message(type: number, ...fields: readonly Field[]): Buffer {
  return framed([0, type], fields, 0)
}

/** The part of a data message before its bytes. */
export function dataHeader(channel: number, length: number): Buffer {
  return framed([0, messageType.channelData], [channel, length], length)
}

/** A message of the control socket itself, such as its greeting. */
export function controlMessage(...fields: readonly number[]): Buffer {
  return framed([], fields, 0)
}

function framed(start: readonly number[], fields: readonly Field[], bytesAfter: number): Buffer {
  const parts = [Buffer.from(start), ...fields.map(encoded)]
  const length = parts.reduce((sum, part) => sum + part.length, bytesAfter)
  return Buffer.concat([encoded(length), ...parts])
}

function encoded(field: Field): Buffer {
  if (typeof field === 'boolean') return Buffer.from([Number(field)])
  const bytes = typeof field === 'string' ? Buffer.from(field) : undefined
  const number = Buffer.alloc(4)
  number.writeUInt32BE(bytes?.length ?? (field as number))
  return bytes === undefined ? number : Buffer.concat([number, bytes])
}

/** What the other side sends is not a message. */
export class ProtocolError extends Error {}

/** Reads the fields of a message one after the other. */
export class MessageReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#pass(1))
  }

  flag(): boolean {
    return this.byte() !== 0
  }

  number(): number {
    return this.#bytes.readUInt32BE(this.#pass(4))
  }

  bytes(): Buffer {
    const length = this.number()
    const start = this.#pass(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** Returns where the passed bytes start. */
  #pass(length: number): number {
    const start = this.#at
    if (start + length > this.#bytes.length) throw new ProtocolError('a message of the host is too short')
    this.#at += length
    return start
  }
}

/** Splits a stream into messages without their lengths. */
export class MessageSplitter {
  #rest: Buffer = none

  split(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const messages: Buffer[] = []
    let at = 0
    while (bytes.length - at >= 4) {
      const length = bytes.readUInt32BE(at)
      if (length > maxMessageBytes) throw new ProtocolError(`a message of ${length} bytes on the control socket`)
      const end = at + 4 + length
      if (bytes.length < end) break
      messages.push(bytes.subarray(at + 4, end))
      at = end
    }
    // an empty part of it would keep the chunk in memory
    this.#rest = at === bytes.length ? none : bytes.subarray(at)
    return messages
  }
}
