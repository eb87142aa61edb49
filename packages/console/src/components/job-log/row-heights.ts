/**
 * The heights of the rows of a long list: most have the default height, some were measured. Offsets and rows are found in
 * logarithmic time, by a binary indexed tree of the differences from the default.
 */
export class RowHeights {
  readonly #rowHeight: number
  #differences = new Float64Array(0)
  #tree = new Float64Array(1)
  #count = 0

  constructor(rowHeight: number) {
    this.#rowHeight = rowHeight
  }

  get count(): number {
    return this.#count
  }

  /** The height of all rows. */
  get total(): number {
    return this.offsetOf(this.#count)
  }

  /** A list only grows; new rows have the default height. */
  grow(count: number): void {
    if (count <= this.#count) return
    if (count > this.#differences.length) this.#enlarge(Math.max(1024, 2 ** Math.ceil(Math.log2(count))))
    this.#count = count
  }

  /** Sets the height of a row and returns how much it changed. */
  set(index: number, height: number): number {
    const change = height - this.#rowHeight - (this.#differences[index] ?? 0)
    if (change !== 0) {
      this.#differences[index] = height - this.#rowHeight
      this.#add(index, change)
    }
    return change
  }

  /** All rows have the default height again. */
  reset(): void {
    this.#differences.fill(0)
    this.#tree.fill(0)
  }

  /** Where the row starts. */
  offsetOf(index: number): number {
    let sum = index * this.#rowHeight
    for (let at = index; at > 0; at -= at & -at) sum += this.#tree[at] ?? 0
    return sum
  }

  /** The row at an offset. */
  indexAt(offset: number): number {
    let index = 0
    let rest = offset
    for (let step = this.#differences.length; step >= 1; step /= 2) {
      const height = step * this.#rowHeight + (this.#tree[index + step] ?? 0)
      if (index + step > this.#count || height > rest) continue
      index += step
      rest -= height
    }
    return Math.max(0, Math.min(index, this.#count - 1))
  }

  #add(index: number, change: number): void {
    for (let at = index + 1; at < this.#tree.length; at += at & -at) this.#tree[at] = (this.#tree[at] ?? 0) + change
  }

  #enlarge(capacity: number): void {
    const before = this.#differences
    this.#differences = new Float64Array(capacity)
    this.#tree = new Float64Array(capacity + 1)
    for (const [index, difference] of before.entries()) {
      this.#differences[index] = difference
      if (difference !== 0) this.#add(index, difference)
    }
  }
}
