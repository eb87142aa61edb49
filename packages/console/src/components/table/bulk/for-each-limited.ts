/** Bulk actions share the server with everybody else. */
const maxConcurrent = 4

/** Works on all items, a few at a time, in their order. Aborting starts no further item. */
export async function forEachLimited<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    // all workers take from one iterator
    for (const item of { [Symbol.iterator]: () => queue }) {
      if (signal.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, worker))
}
