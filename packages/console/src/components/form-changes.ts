const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The fields that differ. */
export function changesOf<T extends object>(form: T, initial: T): Partial<T> {
  const changed = Object.entries(form).filter(
    ([name, value]) => !isSame(value, (initial as Record<string, unknown>)[name]),
  )
  return Object.fromEntries(changed) as Partial<T>
}

/** The stored fields that the form still has, with the type that it expects: another version may have stored them. */
export function restorable<T extends object>(
  stored: Readonly<Record<string, unknown>> | undefined,
  initial: T,
): Partial<T> {
  const kept = Object.entries(initial).flatMap(([name, value]) => {
    const found = stored?.[name]
    const isExpected = value === null || kindOf(found) === kindOf(value)
    return found !== undefined && isExpected ? [[name, found] as const] : []
  })
  return Object.fromEntries(kept) as Partial<T>
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)
