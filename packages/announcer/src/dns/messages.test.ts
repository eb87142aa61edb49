import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Message, maxMessageBytes, type ResourceRecord } from './message.ts'
import { MalformedMessage, readMessage } from './read-message.ts'
import { questionBytes, recordBytes, writeMessage } from './write-message.ts'

const label = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 15 })
  .filter((text) => Buffer.byteLength(text) <= 60)
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.map(escaped).join('.'))
const escaped = (text: string): string => text.replace(/[.\\]/g, '\\$&')
const head = { name, ttlSeconds: fc.nat(2 ** 31), flush: fc.boolean() }
const record: fc.Arbitrary<ResourceRecord> = fc.oneof(
  fc.record({ ...head, type: fc.constant('A' as const), address: fc.ipV4() }),
  fc.record({ ...head, type: fc.constant('AAAA' as const), address: fc.ipV6().map(shortest) }),
  fc.record({ ...head, type: fc.constant('PTR' as const), target: name }),
  fc.record({ ...head, type: fc.constant('SRV' as const), target: name, port: fc.nat(65_535) }),
  fc.record({
    ...head,
    type: fc.constant('TXT' as const),
    strings: fc.array(fc.string(), { minLength: 1, maxLength: 4 }),
  }),
)
const records = fc.array(record, { maxLength: 4 })
const message: fc.Arbitrary<Message> = fc.record({
  id: fc.nat(65_535),
  isResponse: fc.boolean(),
  questions: fc.array(fc.record({ name, type: fc.constantFrom('A', 'AAAA', 'PTR', 'SRV', 'TXT', 'ANY') }), {
    maxLength: 4,
  }),
  answers: records,
  authorities: records,
  additionals: records,
})

function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

test('reads what it writes', () => {
  fc.assert(fc.property(message, (given) => assert.deepEqual(readMessage(writeMessage(given)), structuredClone(given))))
})

test('any bytes are a message that can be written again, or malformed', () => {
  const check = (bytes: Buffer): void => {
    let read: Message
    try {
      read = readMessage(bytes)
    } catch (error) {
      assert.ok(error instanceof MalformedMessage, String(error))
      return
    }
    // one by one: expanded pointers may exceed the size of a message
    for (const question of read.questions) questionBytes(question)
    const all = [...read.answers, ...read.authorities, ...read.additionals]
    // TXT strings may contain any bytes and are never forwarded
    for (const one of all) if (one.type !== 'TXT') recordBytes(one)
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => check(Buffer.from(bytes))))
  // valid messages with a changed byte, or truncated
  fc.assert(
    fc.property(message, fc.nat(), fc.nat(255), (given, at, value) => {
      const bytes = writeMessage(given)
      check(bytes.subarray(0, at % (bytes.length + 1)))
      bytes[at % bytes.length] = value
      check(bytes)
    }),
  )
})

const header = (answers: number): number[] => [0, 0, 0x84, 0, 0, 0, answers >> 8, answers & 255, 0, 0, 0, 0]
const pointerRecord = [0xc0, 12, 0, 12, 0, 1, 0, 0, 0, 10, 0, 2, 0xc0, 12]
const manyLabels = [...Array<number[]>(126).fill([1, 97]).flat(), 0, 0, 12, 0, 1, 0, 0, 0, 10, 0, 2, 0xc0, 12]

for (const { name, bytes } of [
  { name: 'nothing', bytes: [] },
  { name: 'half a header', bytes: [0, 0, 0x84] },
  { name: 'missing records', bytes: header(65_535) },
  { name: 'a name that points to itself', bytes: [...header(1), 0xc0, 12, 0, 1, 0, 1] },
  { name: 'two names that point to each other', bytes: [...header(1), 0xc0, 14, 0xc0, 12, 0, 1, 0, 1] },
  { name: 'a pointer forward', bytes: [...header(1), 0xc0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  { name: 'a label that is not UTF-8', bytes: [...header(1), 63, ...Array<number>(63).fill(255), 0, 0, 1, 0, 1] },
  { name: 'an unknown label type', bytes: [...header(1), 0x80, 1, 0] },
  {
    name: 'a name of more than 255 bytes',
    bytes: [
      ...header(1),
      ...Array(5)
        .fill([63, ...Array(63).fill(97)])
        .flat(),
      0,
    ],
  },
  { name: 'data beyond the end', bytes: [...header(1), 0, 0, 16, 0, 1, 0, 0, 0, 10, 255, 255, 1] },
  { name: 'a string beyond its record', bytes: [...header(1), 0, 0, 16, 0, 1, 0, 0, 0, 10, 0, 2, 200, 65] },
  { name: 'an address of three bytes', bytes: [...header(1), 0, 0, 1, 0, 1, 0, 0, 0, 10, 0, 3, 1, 2, 3] },
  { name: 'more bytes than a message may have', bytes: Array<number>(maxMessageBytes + 1).fill(0) },
  {
    name: 'few bytes that expand to many labels',
    bytes: [...header(600), ...manyLabels, ...Array(599).fill(pointerRecord).flat()],
  },
])
  test(`rejects ${name}`, () => assert.throws(() => readMessage(Buffer.from(bytes)), MalformedMessage))

test('skips records of other types and classes', () => {
  const other = [0, 0, 99, 0, 1, 0, 0, 0, 10, 0, 3, 1, 2, 3]
  const chaos = [0, 0, 1, 0, 3, 0, 0, 0, 10, 0, 4, 1, 2, 3, 4]
  const ours = [1, 97, 0, 0, 1, 0x80, 1, 0, 0, 0, 10, 0, 4, 192, 0, 2, 1]
  const { answers } = readMessage(Buffer.from([...header(3), ...other, ...chaos, ...ours]))
  assert.deepEqual(answers, [{ name: 'a', ttlSeconds: 10, flush: true, type: 'A', address: '192.0.2.1' }])
})

test('keeps a dot within a label', () => {
  const given: ResourceRecord = { name: 'a\\.b\\\\.local', ttlSeconds: 1, flush: false, type: 'PTR', target: 'x' }
  const bytes = writeMessage({ answers: [given] })
  assert.ok(bytes.includes(Buffer.from([4, ...Buffer.from('a.b\\'), 5, ...Buffer.from('local'), 0])))
  assert.deepEqual(readMessage(bytes).answers, [given])
})
