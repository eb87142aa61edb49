/** A `localStorage` in memory. */
export class MemoryStorage {
  readonly #items = new Map<string, string>()

  get length(): number {
    return this.#items.size
  }

  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.#items.set(key, String(value))
  }

  removeItem(key: string): void {
    this.#items.delete(key)
  }

  clear(): void {
    this.#items.clear()
  }

  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null
  }
}

/** Defines a global that only browsers have. */
export function defineGlobal(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

/** A window whose hash changes as in a browser: assigning it, or replacing the state, changes the URL. */
export function fakeWindow(href = 'https://wharf.example/tools/') {
  const events = new EventTarget()
  const url = new URL(href)
  const history: string[] = []
  let entries: { hash: string; state: unknown }[] = [{ hash: url.hash, state: null }]
  let at = 0
  const location = {
    get href(): string {
      return url.href
    },
    get hash(): string {
      return url.hash
    },
    set hash(hash: string) {
      url.hash = hash
      history.push(hash)
      entries = [...entries.slice(0, ++at), { hash, state: null }]
      events.dispatchEvent(new Event('hashchange'))
    },
  }
  defineGlobal('location', location)
  defineGlobal('history', {
    get state(): unknown {
      return entries[at]?.state
    },
    replaceState(state: unknown, _title: string, hash: string) {
      entries[at] = { hash, state }
      url.hash = hash
    },
    go(steps: number) {
      at += steps
      url.hash = entries[at]?.hash ?? ''
      events.dispatchEvent(new Event('hashchange'))
    },
  })
  defineGlobal('HashChangeEvent', Event)
  defineGlobal('addEventListener', events.addEventListener.bind(events))
  defineGlobal('removeEventListener', events.removeEventListener.bind(events))
  defineGlobal('dispatchEvent', events.dispatchEvent.bind(events))
  return { location, history, events }
}
