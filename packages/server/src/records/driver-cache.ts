interface Closable {
  close(): Promise<void>
}

interface Entry<Driver> {
  readonly key: string
  readonly driver: Promise<Driver>
}

interface Opener<Row, Driver> {
  open(row: Row): Promise<Driver>
  /** Everything that a connection depends on, as text: a row with another key gets a new driver. */
  connectionKey(row: Row): string
}

/** One driver per record, opened at its first use and kept open; concurrent callers get the same one. */
export class DriverCache<Row extends { readonly uuid: string }, Driver extends Closable> {
  readonly #opener: Opener<Row, Driver>
  readonly #entries = new Map<string, Entry<Driver>>()

  constructor(opener: Opener<Row, Driver>) {
    this.#opener = opener
  }

  async of(row: Row): Promise<Driver> {
    const { uuid } = row
    const key = this.#opener.connectionKey(row)
    const former = this.#entries.get(uuid)
    if (former?.key === key) return former.driver
    const entry = { key, driver: this.#opener.open(row) }
    this.#entries.set(uuid, entry)
    // the next caller tries again
    entry.driver.catch(() => {
      if (this.#entries.get(uuid) === entry) this.#entries.delete(uuid)
    })
    await close(former)
    return entry.driver
  }

  /** A driver of its own for a record that is not stored so; the caller closes it. */
  async openApart(row: Row): Promise<Driver & AsyncDisposable> {
    const driver = await this.#opener.open(row)
    return Object.assign(driver, { [Symbol.asyncDispose]: () => driver.close() })
  }

  has(uuid: string): boolean {
    return this.#entries.has(uuid)
  }

  /** Closes a driver that was opened for other columns than these. */
  async forgetOutdated(row: Row): Promise<void> {
    const entry = this.#entries.get(row.uuid)
    if (entry && entry.key !== this.#opener.connectionKey(row)) await this.forget(row.uuid)
  }

  async forget(uuid: string): Promise<void> {
    const entry = this.#entries.get(uuid)
    this.#entries.delete(uuid)
    await close(entry)
  }

  /** Closes the drivers of all other records: another node may have deleted them. */
  async keepOnly(uuids: readonly string[]): Promise<void> {
    const kept = new Set(uuids)
    const others = [...this.#entries.keys()].filter((uuid) => !kept.has(uuid))
    await Promise.all(others.map((uuid) => this.forget(uuid)))
  }

  async closeAll(): Promise<void> {
    await this.keepOnly([])
  }
}

/** A failure to open or to close was already reported to its caller. */
async function close(entry: Entry<Closable> | undefined): Promise<void> {
  try {
    await (await entry?.driver)?.close()
  } catch {}
}
