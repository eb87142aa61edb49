import { type Stats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/**
 * Files that this process keeps open. A file that another process removes, replaces or truncates still accepts writes, which
 * are lost.
 */
export class WatchedFiles {
  readonly #known: Map<string, Stats>

  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, statSync(path)]))
  }

  /** What has happened to one of them since the last check; undefined when all are as they were. */
  async findFault(): Promise<string | undefined> {
    for (const [path, known] of this.#known) {
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? '')
      if (typeof found === 'string') {
        if (found === 'ENOENT' || found === 'ENOTDIR') return `${path} was removed`
        // a disk that cannot be read now has not lost the file
        continue
      }
      if (found.ino !== known.ino || found.dev !== known.dev) return `${path} was replaced`
      if (found.size < known.size) return `${path} was truncated`
      this.#known.set(path, found)
    }
    return undefined
  }
}
