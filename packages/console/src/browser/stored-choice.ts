/** A choice of the user, kept in localStorage. */
export function storedChoice<T extends string>(name: string, allowed: readonly T[], standard: () => T) {
  const key = `wharf.${name}`
  return {
    read(): T {
      const kept = localStorage.getItem(key)
      return allowed.find((one) => one === kept) ?? standard()
    },
    write: (value: T): void => localStorage.setItem(key, value),
  }
}
