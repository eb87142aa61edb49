import { maxSparseBytes, maxSparseSections } from '../limits.ts'
import { refuseEntry } from '../refusal.ts'

/** The sections of data of a file with holes; they must be in order, inside the file, and add up to what is stored. */
export class SparseMap {
  readonly #name: string
  #sections = 0
  #end = 0
  #bytes = 0

  constructor(name: string) {
    this.#name = name
  }

  add(offset: number | undefined, bytes: number | undefined): void {
    if (offset === undefined || bytes === undefined || offset < this.#end) this.refuse()
    this.#sections += 1
    if (this.#sections > maxSparseSections)
      throw refuseEntry(this.#name, `has more than ${maxSparseSections} sections of data`)
    this.#end = offset + bytes
    this.#bytes += bytes
  }

  /** After the last section. `fileBytes` is the length with the holes. */
  finish(fileBytes: number | undefined, storedBytes: number): void {
    if (fileBytes === undefined || this.#end > fileBytes || this.#bytes !== storedBytes) this.refuse()
    if (fileBytes > maxSparseBytes) throw refuseEntry(this.#name, `declares a size of ${fileBytes} bytes`)
  }

  refuse(): never {
    throw refuseEntry(this.#name, 'has a sparse map that does not fit its size')
  }
}
