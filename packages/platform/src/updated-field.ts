import { invalid } from './api-error.ts'

/** What an update makes of a field: a new value, null when it is to be emptied, undefined to leave it as it is. */
export function updatedField<T>(clear: readonly string[] | undefined, name: string, value: T | undefined) {
  if (!clear?.includes(name)) return value
  if (value !== undefined) throw invalid(`${name} is given and also named in clear; send only one of them`)
  return null
}
