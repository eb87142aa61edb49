/** A value kept in localStorage as JSON; undefined if there is none, or if it is not JSON. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

/** A full or blocked storage is not an error: the page itself still has the value. */
export function writeStoredText(key: string, text: string, storage: Pick<Storage, 'setItem'> = localStorage): void {
  try {
    storage.setItem(key, text)
  } catch {
    // see above
  }
}

export const writeStoredJson = (key: string, value: unknown): void => writeStoredText(key, JSON.stringify(value))
