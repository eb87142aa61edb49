/** A form value that is not valid JSON; reported by the validation and never sent. */
export class UnreadableJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An empty text is undefined, as in other fields. */
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
