/** Stands in a form for a text that is no JSON: it is told to be none, and never sent. */
export class UnreadableJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Nothing is undefined, as in every other field. */
export function jsonIn(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return new UnreadableJson(text)
  }
}

export function writtenJson(value: unknown): string {
  if (value instanceof UnreadableJson) return value.text
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
