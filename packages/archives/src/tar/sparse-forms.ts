import { maxSparseBytes, maxSparseSections } from '../limits.ts'
import { refuseEntry } from '../refusal.ts'
import { decimal, type PaxRecords } from './pax-records.ts'
import { SparseMap } from './sparse-map.ts'
import type { TarEntry } from './tar-entry.ts'
import { tarBlockBytes, tarNumber } from './tar-header.ts'

const sectionBytes = 24
const inHeader = { at: 386, count: 4, moreAt: 482 }
const inBlock = { at: 0, count: 21, moreAt: 504 }

/** GNU's oldest form: a table in the header, and in blocks right after it while there is more. */
export function readSparseTable(map: SparseMap, block: Buffer, place: 'header' | 'block'): { more: boolean } {
  const { at, count, moreAt } = place === 'header' ? inHeader : inBlock
  const more = block[moreAt] !== 0
  for (let section = at; section < at + count * sectionBytes; section += sectionBytes) {
    const offset = block.subarray(section, section + 12)
    const bytes = block.subarray(section + 12, section + sectionBytes)
    if (bytes[0] !== 0) map.add(tarNumber(offset), tarNumber(bytes))
    // at an unused section GNU tar stops, while others use the continuation mark
    else if (more) map.refuse()
    else break
  }
  return { more }
}

export const sparseTableFileBytes = (header: Buffer): number | undefined => tarNumber(header.subarray(483, 495))

/** GNU's newest form: the data starts with the map, one number a line, padded to a block. */
export class SparseMapText {
  readonly #map: SparseMap
  #rest = ''
  #numbersLeft: number | undefined
  #offset: number | undefined
  bytes = 0

  constructor(map: SparseMap) {
    this.#map = map
  }

  /** Reads the next block of data; returns whether the map continues after it. */
  read(block: Buffer): { more: boolean } {
    this.bytes += tarBlockBytes
    const lines = (this.#rest + block.toString('latin1')).split('\n')
    this.#rest = lines.pop() as string
    for (const line of lines) {
      this.#line(decimal(line) ?? this.#map.refuse())
      if (this.#numbersLeft === 0) return { more: false }
    }
    if (decimal(this.#rest || '0') === undefined) this.#map.refuse()
    return { more: true }
  }

  #line(number: number): void {
    if (this.#numbersLeft === undefined) {
      if (number > maxSparseSections) this.#map.refuse()
      this.#numbersLeft = number * 2
      return
    }
    this.#numbersLeft -= 1
    if (this.#offset === undefined) this.#offset = number
    else {
      this.#map.add(this.#offset, number)
      this.#offset = undefined
    }
  }
}

interface PaxSparseFile {
  readonly fileBytes: number
  /** Listed in the header and valid, or pending in the data. */
  readonly map: 'checked' | 'before its data'
}

/** The forms of sparse files that extended headers describe: 0.0 and 0.1 list their sections there, 1.0 in the data. */
export function paxSparseFile(entry: TarEntry, { values, sparsePairs }: PaxRecords): PaxSparseFile | undefined {
  const keys = [...values.keys()].filter((key) => key.startsWith('GNU.sparse.'))
  if (keys.length === 0 && sparsePairs.length === 0) return undefined
  if (entry.kind !== 'file') throw refuseEntry(entry.name, `is a ${entry.kind} and cannot be sparse`)
  const text = (key: string) => values.get(`GNU.sparse.${key}`)?.toString('latin1')
  const number = (key: string) => decimal(text(key) ?? '')

  const major = text('major')
  if (major !== undefined) {
    const fileBytes = number('realsize')
    if (major !== '1' || text('minor') !== '0' || fileBytes === undefined || fileBytes > maxSparseBytes)
      throw refuseEntry(entry.name, 'is sparse in a form that programs read differently')
    return { fileBytes, map: 'before its data' }
  }

  const sections = text('map')?.split(',') ?? sparsePairs.map((value) => value.toString('latin1'))
  const map = new SparseMap(entry.name)
  if (number('numblocks') !== sections.length / 2) map.refuse()
  for (let at = 0; at < sections.length; at += 2) map.add(decimal(sections[at] ?? ''), decimal(sections[at + 1] ?? ''))
  const fileBytes = number('size') ?? map.refuse()
  map.finish(fileBytes, entry.storedBytes)
  return { fileBytes, map: 'checked' }
}
