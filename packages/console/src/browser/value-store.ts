import { useSyncExternalStore } from 'react'

export interface ValueStore<T> {
  readonly read: () => T
  readonly set: (value: T) => void
  /** The current value, in a component. */
  readonly use: () => T
}

/** A value outside the components that use it. */
export function valueStore<T>(initial: T): ValueStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const read = (): T => value
  const subscribe = (changed: () => void): (() => void) => {
    listeners.add(changed)
    return () => listeners.delete(changed)
  }
  return {
    read,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, read),
  }
}
