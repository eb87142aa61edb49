import { randomFillSync, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const uuidBytes = 16
/** Random bytes are generated for this many at a time: each call costs more than its bytes. */
const atOnce = 256
const random = Buffer.alloc(uuidBytes * atOnce)
let used = random.length

/** Where the bytes of a new UUID are, all of them random but for its version. */
function draw(version: number): number {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const from = used
  used += uuidBytes
  random[from + 6] = ((random[from + 6] as number) & 0x0f) | (version << 4)
  random[from + 8] = ((random[from + 8] as number) & 0x3f) | 0x80
  return from
}

const textAt = (from: number): string => random.toString('hex', from, from + uuidBytes)

/** For what is not a record, such as a request: 32 lower-case hex digits, 122 random bits, a UUID of version 4 without its hyphens. */
export const newUuid = (): string => textAt(draw(4))

const orderedVersion = 7
const numbersPerMs = 2 ** 12
let lastOrderedMs = Number.NaN
let numberInMs = 0

/**
 * A UUID of version 7 without its hyphens. It starts with the time and, by RFC 9562, 6.2, with a number within the millisecond: those
 * of this process are in the order in which they were created, and their rows are next to each other in an index.
 */
export function newOrderedUuid(ms: number): string {
  const from = draw(orderedVersion)
  numberInMs = ms === lastOrderedMs ? (numberInMs + 1) % numbersPerMs : 0
  lastOrderedMs = ms
  random.writeUIntBE(ms, from, 6)
  random.writeUInt16BE(orderedVersion * numbersPerMs + numberInMs, from + 6)
  return textAt(from)
}

/** So large that names by five digits differ, and odd, so that all first eight digits occur before one is repeated. */
const sequenceStep = 4097
let sequence = randomInt(2 ** 32)

/**
 * For records: those of this process follow one another in every index of them, from a random start, so that a commit writes few
 * pages. Unlike ids with the time in front, they differ in their first digits, by which people name them.
 */
export function newSequentialUuid(): string {
  sequence = (sequence + sequenceStep) % 2 ** 32
  const from = draw(4)
  random.writeUInt32BE(sequence, from)
  return textAt(from)
}

/** A number from 0 to 1 that differs from record to record, to spread work; the digits of an id itself follow one another. */
export const shareOf = (uuid: string): number => crc32(uuid) / 2 ** 32
