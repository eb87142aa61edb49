import type { Transport } from '../http/transport.ts'
import { type Change, followChanges } from './changes.ts'

/** 'connection' when the stream opens or breaks: changes during a gap are not delivered. */
type Listener = (change: Change | 'connection') => void

/** One stream for all listeners, because browsers limit the connections to a server. Open while there is a listener. */
export class SharedChanges {
  readonly #transport: Transport
  readonly #listeners = new Set<Listener>()
  #reading: AbortController | undefined
  #isOpen = false

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** When false, listeners must poll. */
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
    const notify = (change: Change | 'connection'): void => {
      if (!signal.aborted) for (const listener of this.#listeners) listener(change)
    }
    const onConnection = (isOpen: boolean): void => {
      if (!signal.aborted) this.#isOpen = isOpen
      notify('connection')
    }
    try {
      for await (const change of followChanges(this.#transport, { signal, onConnection })) notify(change)
    } catch {
      // aborted or refused: listeners poll
      onConnection(false)
    }
  }
}
