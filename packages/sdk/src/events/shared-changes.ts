import type { Transport } from '../http/transport.ts'
import { type Change, changes } from './changes.ts'

/** The connection coming and going is told as well: what happened in between is not. */
type Listener = (change: Change | 'connection') => void

/** One stream for all who wait: browsers allow few connections to a server. Open while anyone listens. */
export class SharedChanges {
  readonly #transport: Transport
  readonly #listeners = new Set<Listener>()
  #reading: AbortController | undefined
  #isOpen = false

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Whether changes come in; when not, the listener has to look for itself. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#reading === undefined) {
      this.#reading = new AbortController()
      void this.#read(this.#reading.signal)
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#reading?.abort()
      this.#reading = undefined
      this.#isOpen = false
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const tell = (change: Change | 'connection'): void => {
      if (!signal.aborted) for (const listener of this.#listeners) listener(change)
    }
    const onConnection = (isOpen: boolean): void => {
      if (!signal.aborted) this.#isOpen = isOpen
      tell('connection')
    }
    try {
      for await (const change of changes(this.#transport, { signal, onConnection })) tell(change)
    } catch {
      // ended, or refused: those who wait look for themselves
      onConnection(false)
    }
  }
}
