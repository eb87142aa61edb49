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

  /** The first change since the last check; undefined without one. */
  async findFault(): Promise<string | undefined> {
    for (const [path, known] of this.#known) {
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? '')
      if (typeof found === 'string') {
        if (found === 'ENOENT' || found === 'ENOTDIR') return `${path} was removed`
        // an unreadable disk does not mean that the file is lost
        continue
      }
      if (found.ino !== known.ino || found.dev !== known.dev) return `${path} was replaced`
      if (found.size < known.size) return `${path} was truncated`
      this.#known.set(path, found)
    }
    return undefined
  }
}
