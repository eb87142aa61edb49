import { isUtf8 } from 'node:buffer'
import { ipv4Text, ipv6Text } from './addresses.ts'
import {
  type Message,
  maxMessageBytes,
  type Question,
  type QuestionType,
  type RecordType,
  type ResourceRecord,
  typeCodes,
} from './message.ts'
import { escapeLabel } from './names.ts'

export class MalformedMessage extends Error {}

/** Limits the work: pointers can expand 9000 bytes to a hundred thousand labels. */
const maxLabels = 4096
const maxNameBytes = 255
const internet = 1
const topBit = 0x8000

const typeNames = new Map(Object.entries(typeCodes).map(([name, code]) => [code as number, name as QuestionType]))

/** Parses an untrusted message; throws MalformedMessage for any invalid input. */
export function readMessage(bytes: Buffer): Message {
  if (bytes.length > maxMessageBytes) throw new MalformedMessage('message too long')
  const reader = new Reader(bytes)
  const [id, flags, questions, answers, authorities, additionals] = [0, 0, 0, 0, 0, 0].map(() => reader.short())
  return {
    id: id ?? 0,
    isResponse: ((flags ?? 0) & topBit) !== 0,
    questions: readMany(questions, () => readQuestion(reader)),
    answers: readMany(answers, () => readRecord(reader)),
    authorities: readMany(authorities, () => readRecord(reader)),
    additionals: readMany(additionals, () => readRecord(reader)),
  }
}

/** Reading fails at the end of the bytes, so a false count costs no time. */
function readMany<T>(count: number | undefined, read: () => T | undefined): T[] {
  const found: T[] = []
  for (let left = count ?? 0; left > 0; left--) {
    const item = read()
    if (item !== undefined) found.push(item)
  }
  return found
}

function readQuestion(reader: Reader): Question | undefined {
  const name = reader.name()
  const type = typeNames.get(reader.short())
  reader.short()
  return type && { name, type }
}

/** Undefined for a record of another type, which is skipped. */
function readRecord(reader: Reader): ResourceRecord | undefined {
  const name = reader.name()
  const type = typeNames.get(reader.short())
  const classBits = reader.short()
  const ttlSeconds = reader.long()
  const data = reader.part(reader.short())
  if (type === undefined || type === 'ANY' || (classBits & ~topBit) !== internet) return undefined
  return { name, ttlSeconds, flush: (classBits & topBit) !== 0, ...readData(type, data) }
}

type Data = ResourceRecord extends infer R
  ? R extends ResourceRecord
    ? Omit<R, 'name' | 'ttlSeconds' | 'flush'>
    : never
  : never

function readData(type: RecordType, data: Reader): Data {
  if (type === 'A') return { type, address: ipv4Text(data.take(4)) }
  if (type === 'AAAA') return { type, address: ipv6Text(data.take(16)) }
  if (type === 'PTR') return { type, target: data.name() }
  if (type === 'TXT') return { type, strings: data.strings() }
  data.long() // priority and weight: a service has one server
  return { type, port: data.short(), target: data.name() }
}

/** A cursor that stops at `end`. Names may point to any earlier position. */
class Reader {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #count: { labels: number }
  #at: number

  constructor(bytes: Buffer, at = 0, end = bytes.length, count = { labels: 0 }) {
    if (end > bytes.length) throw new MalformedMessage('truncated')
    this.#bytes = bytes
    this.#at = at
    this.#end = end
    this.#count = count
  }

  take(length: number): Buffer {
    const from = this.#at
    if (from + length > this.#end) throw new MalformedMessage('truncated')
    this.#at += length
    return this.#bytes.subarray(from, this.#at)
  }

  short(): number {
    return this.take(2).readUInt16BE()
  }

  long(): number {
    return this.take(4).readUInt32BE()
  }

  part(length: number): Reader {
    const from = this.#at
    this.take(length)
    return new Reader(this.#bytes, from, this.#at, this.#count)
  }

  strings(): string[] {
    const found: string[] = []
    while (this.#at < this.#end) found.push(this.take(this.take(1)[0] ?? 0).toString())
    return found
  }

  name(): string {
    const labels: string[] = []
    let length = 0
    // RFC 1035, 4.1.4: a pointer refers to an earlier position, so every further one must be smaller
    let earliest = this.#at
    let reader: Reader = this
    for (;;) {
      const head = reader.take(1)[0] ?? 0
      if (head === 0) return labels.join('.')
      if (++this.#count.labels > maxLabels) throw new MalformedMessage('too many labels')
      if (head >= 0xc0) {
        const target = ((head & 0x3f) << 8) | (reader.take(1)[0] ?? 0)
        if (target >= earliest) throw new MalformedMessage('invalid pointer')
        earliest = target
        reader = new Reader(this.#bytes, target, undefined, this.#count)
        continue
      }
      if (head > 63) throw new MalformedMessage('unknown label type')
      length += head + 1
      if (length >= maxNameBytes) throw new MalformedMessage('name too long')
      const label = reader.take(head)
      // RFC 6762, 16: names are UTF-8; other bytes would change when written again
      if (!isUtf8(label)) throw new MalformedMessage('a label is not UTF-8')
      labels.push(escapeLabel(label.toString()))
    }
  }
}
