import { onAbort } from '@wharf/platform/abort.ts'

/** The client that a hash is computed for. */
export interface HashClient {
  /** Signed-in callers wait separately from those who are not yet authenticated. */
  readonly isSignedIn: boolean
  /** All clients of one share wait in one queue: a network, or a user. */
  readonly share: string
  /** Aborted when the client has disconnected. */
  readonly disconnectSignal?: AbortSignal
}

export interface QueueLimits {
  readonly concurrency: number
  readonly maxPerShare: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/** The hash would be too late for its client, who can try again. */
export class HashQueueFull extends Error {
  override readonly name = 'HashQueueFull'
}

/** The client has closed its connection. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}

interface Waiting {
  admit(): void
  refuse(error: Error): void
}

/**
 * Limits concurrent hashes and serves the shares round-robin, independent of the number of clients in each; every other
 * slot belongs to signed-in callers when some wait.
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
    if (client.disconnectSignal?.aborted) throw clientDisconnected()
    if (this.#running < this.#limits.concurrency) this.#running++
    else await this.#wait(client)
    try {
      return await work()
    } finally {
      setImmediate(() => this.#startNext()) // after the caller has counted the failure, so that the next one sees it
    }
  }

  async #wait({ isSignedIn, share, disconnectSignal }: HashClient): Promise<void> {
    const shares = isSignedIn ? this.#signedIn : this.#others
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { admit: resolve, refuse: reject }
    shares.reserve(share, this.#limits)
    shares.add(share, waiting)
    const leave = (error: Error): void => {
      shares.remove(share, waiting)
      reject(error)
    }
    const timer = setTimeout(() => leave(tooBusy()), this.#limits.maxWaitMs)
    using _listening = onAbort(disconnectSignal, () => leave(clientDisconnected()))
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Gives the slot to the next client, or frees it. */
  #startNext(): void {
    const [first, second] = this.#lastWasSignedIn ? [this.#others, this.#signedIn] : [this.#signedIn, this.#others]
    const from = first.size > 0 ? first : second
    this.#lastWasSignedIn = from === this.#signedIn
    const next = from.next()
    if (next) next.admit()
    else this.#running--
  }
}

const clientDisconnected = (): ClientDisconnected => new ClientDisconnected('the client has closed its connection')
const tooBusy = (): HashQueueFull => new HashQueueFull('too many passwords wait to be checked')

/** Queues that are served round-robin, in the order of the map. */
class Shares {
  readonly #queues = new Map<string, Waiting[]>()
  size = 0

  add(share: string, waiting: Waiting): void {
    const queue = this.#queues.get(share)
    if (queue) queue.push(waiting)
    else this.#queues.set(share, [waiting])
    this.size++
  }

  next(): Waiting | undefined {
    for (const [share, queue] of this.#queues) {
      const next = queue.shift()
      this.#queues.delete(share)
      if (queue.length > 0) this.#queues.set(share, queue)
      this.size--
      return next
    }
    return undefined
  }

  remove(share: string, waiting: Waiting): void {
    const queue = this.#queues.get(share)
    const at = queue?.indexOf(waiting) ?? -1
    if (queue === undefined || at < 0) return
    queue.splice(at, 1)
    if (queue.length === 0) this.#queues.delete(share)
    this.size--
  }

  /** When the queue is full, the last of the longest share is rejected in favour of a shorter one. */
  reserve(share: string, { maxPerShare, maxWaiting }: QueueLimits): void {
    const own = this.#queues.get(share)?.length ?? 0
    if (own >= maxPerShare) throw tooBusy()
    if (this.size < maxWaiting) return
    let longest: Waiting[] = []
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= own + 1) throw tooBusy()
    longest.pop()?.refuse(tooBusy())
    this.size--
  }
}
