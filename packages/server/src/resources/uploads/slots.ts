import { slotBytes, slotCount } from './limits.ts'

/** A few pieces of memory that this thread and the hashing thread both see. They bound what uploads hold in memory. */
export class Slots {
  readonly memory: SharedArrayBuffer
  readonly #free: number[]
  readonly #waiting: ((slot: number) => void)[] = []

  constructor(count = slotCount) {
    this.memory = new SharedArrayBuffer(count * slotBytes)
    this.#free = Array.from({ length: count }, (_, slot) => slot)
  }

  /** Undefined when all are in use. */
  take(): number | undefined {
    return this.#free.pop()
  }

  /** In the order of asking. */
  wait(): Promise<number> {
    const slot = this.take()
    return slot !== undefined ? Promise.resolve(slot) : new Promise((resolve) => this.#waiting.push(resolve))
  }

  release(slot: number): void {
    const next = this.#waiting.shift()
    if (next) next(slot)
    else this.#free.push(slot)
  }

  /** `length` bytes of it. */
  view(slot: number, length: number): Uint8Array {
    return new Uint8Array(this.memory, slot * slotBytes, length)
  }
}
