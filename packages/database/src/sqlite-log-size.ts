import { closeSync, fstatSync, openSync } from 'node:fs'

/** The log of a database in use never becomes shorter, since SQLite overwrites it from the start. */
export class LogSize {
  readonly path: string
  #file: number | undefined
  #bytes = 0

  constructor(path: string) {
    this.path = path
  }

  /** Whether another process has truncated it since the last call, so that commits are lost. The file exists after the first commit. */
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
