/** Callers select fields in many ways, but few of them often. */
const maxLists = 500

const known = new Map<string, readonly string[]>()

/** One list for equal names, so that what was generated for it is found again. */
export function sharedNames(names: readonly string[]): readonly string[] {
  const key = JSON.stringify(names)
  const shared = known.get(key)
  if (shared !== undefined) return shared
  if (known.size >= maxLists) known.clear()
  known.set(key, names)
  return names
}

/** Generates code once for each shared list. */
export function oncePerNames<T>(generate: (names: readonly string[]) => T): (names: readonly string[]) => T {
  const generated = new WeakMap<readonly string[], T>()
  return (names) => {
    const cached = generated.get(names)
    if (cached !== undefined) return cached
    const value = generate(names)
    generated.set(names, value)
    return value
  }
}
