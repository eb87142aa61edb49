import { onAbort } from '@wharf/platform/abort.ts'
/** On whose behalf a hash is worked out. */
export interface HashClient {
  /** Signed-in callers wait separately from those who are not yet authenticated. */
  readonly isSignedIn: boolean
  /** All clients of one share wait in one line: a network, or a user. */
  readonly share: string
  /** Aborted when the connection is closed: nobody would read the answer. */
  readonly disconnectSignal?: AbortSignal
}

export interface QueueLimits {
  readonly atOnce: number
  readonly maxPerShare: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/** The hash would be too late for its client, who can try again. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull'
}

/** The client has closed its connection. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

interface Waiting {
  admit(): void
  refuse(error: Error): void
}

/**
 * Lets few hashes run at once and shares them out: shares take turns, whatever number of clients wait in each, and every
 * other turn belongs to signed-in callers when some wait.
 */
export class HashQueue {
  readonly #limits: QueueLimits
  readonly #signedIn = new Shares()
  readonly #others = new Shares()
  #running = 0
  #lastWasSignedIn = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  async run<T>(client: HashClient, work: () => Promise<T>): Promise<T> {
    if (client.disconnectSignal?.aborted) throw clientGone()
    if (this.#running < this.#limits.atOnce) this.#running++
    else await this.#wait(client)
    try {
      return await work()
    } finally {
      setImmediate(() => this.#endTurn()) // after the caller has counted the failure, so that the next in turn sees it
    }
  }

  async #wait({ isSignedIn, share, disconnectSignal }: HashClient): Promise<void> {
    const shares = isSignedIn ? this.#signedIn : this.#others
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { admit: resolve, refuse: reject }
    shares.makeRoomFor(share, this.#limits)
    shares.add(share, waiting)
    const leave = (error: Error): void => {
      shares.remove(share, waiting)
      reject(error)
    }
    const timer = setTimeout(() => leave(tooBusy()), this.#limits.maxWaitMs)
    using _listening = onAbort(disconnectSignal, () => leave(clientGone()))
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Hands the place to the next in turn, or frees it. */
  #endTurn(): void {
    const [first, second] = this.#lastWasSignedIn ? [this.#others, this.#signedIn] : [this.#signedIn, this.#others]
    const from = first.size > 0 ? first : second
    this.#lastWasSignedIn = from === this.#signedIn
    const next = from.next()
    if (next) next.admit()
    else this.#running--
  }
}

const clientGone = (): ClientGone => new ClientGone('the client has closed its connection')
const tooBusy = (): HashQueueFull => new HashQueueFull('too many passwords wait to be checked')

/** Lines that take turns. The map is in the order of the turns. */
class Shares {
  readonly #lines = new Map<string, Waiting[]>()
  size = 0

  add(share: string, waiting: Waiting): void {
    const line = this.#lines.get(share)
    if (line) line.push(waiting)
    else this.#lines.set(share, [waiting])
    this.size++
  }

  next(): Waiting | undefined {
    for (const [share, line] of this.#lines) {
      const next = line.shift()
      this.#lines.delete(share)
      if (line.length > 0) this.#lines.set(share, line)
      this.size--
      return next
    }
    return undefined
  }

  remove(share: string, waiting: Waiting): void {
    const line = this.#lines.get(share)
    const at = line?.indexOf(waiting) ?? -1
    if (line === undefined || at < 0) return
    line.splice(at, 1)
    if (line.length === 0) this.#lines.delete(share)
    this.size--
  }

  /** When the queue is full, the last of the longest share is rejected in favour of a shorter one. */
  makeRoomFor(share: string, { maxPerShare, maxWaiting }: QueueLimits): void {
    const own = this.#lines.get(share)?.length ?? 0
    if (own >= maxPerShare) throw tooBusy()
    if (this.size < maxWaiting) return
    let longest: Waiting[] = []
    for (const line of this.#lines.values()) if (line.length > longest.length) longest = line
    if (longest.length <= own + 1) throw tooBusy()
    longest.pop()?.refuse(tooBusy())
    this.size--
  }
}
