import { closeSync, fstatSync, openSync } from 'node:fs'

/** The log of a database in use never becomes shorter, since SQLite overwrites it from the start. */
export class LogSize {
  readonly path: string
  #file: number | undefined
  #bytes = 0

  constructor(path: string) {
    this.path = path
  }

  /** Since the last call somebody else has truncated it, and commits are lost. The file exists from the first commit on. */
  isTruncated(): boolean {
    this.#file ??= openIfPresent(this.path)
    if (this.#file === undefined) return false
    const { size } = fstatSync(this.#file)
    if (size < this.#bytes) return true
    this.#bytes = size
    return false
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
