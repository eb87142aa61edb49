import { ipv4Bytes, ipv6Bytes } from './addresses.ts'
import { type Message, type Question, type ResourceRecord, typeCodes } from './message.ts'
import { nameBytes } from './names.ts'

const internet = 1
const flushBit = 0x8000
/** QR and AA: an authoritative response. */
const responseFlags = 0x8400

const shorts = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at)
  return bytes
}

/** Writes names uncompressed, because the messages are short. */
export function writeMessage(message: Partial<Message>): Buffer {
  const { id = 0, isResponse = false, questions = [], answers = [], authorities = [], additionals = [] } = message
  const counts = [questions, answers, authorities, additionals].map((list) => list.length)
  return Buffer.concat([
    shorts(id, isResponse ? responseFlags : 0, ...counts),
    ...questions.map(questionBytes),
    ...[...answers, ...authorities, ...additionals].map(recordBytes),
  ])
}

export const questionBytes = ({ name, type }: Question): Buffer =>
  Buffer.concat([nameBytes(name), shorts(typeCodes[type], internet)])

export function recordBytes(record: ResourceRecord): Buffer {
  const data = dataBytes(record)
  const ttl = Buffer.alloc(4)
  ttl.writeUInt32BE(record.ttlSeconds)
  const head = shorts(typeCodes[record.type], internet | (record.flush ? flushBit : 0))
  return Buffer.concat([nameBytes(record.name), head, ttl, shorts(data.length), data])
}

function dataBytes(record: ResourceRecord): Buffer {
  switch (record.type) {
    case 'A':
      return ipv4Bytes(record.address)
    case 'AAAA':
      return ipv6Bytes(record.address)
    case 'PTR':
      return nameBytes(record.target)
    case 'SRV':
      return Buffer.concat([shorts(0, 0, record.port), nameBytes(record.target)])
    case 'TXT': {
      // RFC 6763, 6.1: a TXT record has at least one string, which may be empty
      const strings = record.strings.length === 0 ? [''] : record.strings
      return Buffer.concat(strings.flatMap((text) => [Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]))
    }
  }
}
