/** A value kept in localStorage as JSON; undefined if there is none, or if it is not JSON. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

export const writeStoredJson = (key: string, value: unknown): void => localStorage.setItem(key, JSON.stringify(value))
