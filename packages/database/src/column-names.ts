/** Callers select fields in many ways, but few of them often. */
const maxLists = 500

const known = new Map<string, readonly string[]>()

/** One list for equal names, so that what was generated for it is found again. */
export function sharedNames(names: readonly string[]): readonly string[] {
  const key = JSON.stringify(names)
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= maxLists) known.clear()
  known.set(key, names)
  return names
}

/** Generates code once for each shared list. */
export function oncePerNames<T>(generate: (names: readonly string[]) => T): (names: readonly string[]) => T {
  const generated = new WeakMap<readonly string[], T>()
  return (names) => {
    const before = generated.get(names)
    if (before !== undefined) return before
    const made = generate(names)
    generated.set(names, made)
    return made
  }
}
