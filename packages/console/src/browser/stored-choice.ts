import { writeStoredText } from './stored-json.ts'

/** A choice of the user, kept in localStorage. */
export function storedChoice<T extends string>(name: string, allowed: readonly T[], standard: () => T) {
  const key = `wharf.${name}`
  const listeners = new Set<() => void>()
  return {
    read(): T {
      const kept = localStorage.getItem(key)
      return allowed.find((one) => one === kept) ?? standard()
    },
    write(value: T): void {
      writeStoredText(key, value)
      for (const listener of listeners) listener()
    },
    /** Calls the listener after each write of this page; returns the function that ends it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
