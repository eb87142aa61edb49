interface Closable {
  close(): Promise<void>
}

interface Entry<Thing> {
  readonly way: string
  readonly thing: Promise<Thing>
}

/**
 * One thing per key, such as a connection, opened at its first use and kept for the next. All who ask while it is being
 * opened get the same. Whoever asks with another `way` to it gets a new one, and the old one is closed.
 */
export class KeptOpen<Thing extends Closable> {
  readonly #entries = new Map<string, Entry<Thing>>()

  async get(key: string, way: string, open: () => Promise<Thing>): Promise<Thing> {
    const known = this.#entries.get(key)
    if (known?.way === way) return known.thing
    const entry = { way, thing: open() }
    this.#entries.set(key, entry)
    // whoever asks next tries again
    entry.thing.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    await close(known)
    return entry.thing
  }

  async forget(key: string): Promise<void> {
    const known = this.#entries.get(key)
    this.#entries.delete(key)
    await close(known)
  }

  async keepOnly(keys: readonly string[]): Promise<void> {
    const kept = new Set(keys)
    const others = [...this.#entries.keys()].filter((key) => !kept.has(key))
    await Promise.all(others.map((key) => this.forget(key)))
  }

  async closeAll(): Promise<void> {
    await this.keepOnly([])
  }
}

/** It may never have come about; and what does not close well is gone all the same. */
async function close(entry: Entry<Closable> | undefined): Promise<void> {
  try {
    await (await entry?.thing)?.close()
  } catch {}
}
