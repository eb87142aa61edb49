import { invalid } from './api-error.ts'

/** The update of a field: a new value, null to clear it, undefined to keep it. */
export function updatedField<T>(clear: readonly string[] | undefined, name: string, value: T | undefined) {
  if (!clear?.includes(name)) return value
  if (value !== undefined) throw invalid(`${name} is given and also named in clear; send only one of them`)
  return null
}
