import { randomFillSync, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const uuidBytes = 16
/** Random bytes are generated for this many at a time: each call costs more than its bytes. */
const atOnce = 256
const random = Buffer.alloc(uuidBytes * atOnce)
let used = random.length

/** For what is not a record, such as a request: 32 lower-case hex digits, 122 random bits, a UUID of version 4 without its hyphens. */
export function newUuid(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const from = used
  used += uuidBytes
  random[from + 6] = ((random[from + 6] as number) & 0x0f) | 0x40
  random[from + 8] = ((random[from + 8] as number) & 0x3f) | 0x80
  return random.toString('hex', from, used)
}

/**
 * A UUID of version 7 without its hyphens: its start is the time, so that rows of an index that are added one after the
 * other are next to each other.
 */
export function newOrderedUuid(ms: number): string {
  const random = newUuid()
  return `${ms.toString(16).padStart(12, '0')}7${random.slice(13)}`
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
  return sequence.toString(16).padStart(8, '0') + newUuid().slice(8)
}

/** A number from 0 to 1 that differs from record to record, to spread work; the digits of an id itself follow one another. */
export const shareOf = (uuid: string): number => crc32(uuid) / 2 ** 32
