import type { AuditChanges } from '@wharf/contract'

export interface ChangeRow {
  readonly field: string
  /** Undefined for no value. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** A row for each changed field, with its values as text. */
export const changeRows = (changes: AuditChanges | undefined): ChangeRow[] =>
  Object.entries(changes ?? {}).map(([field, { before, after }]) => ({
    field,
    before: valueText(before),
    after: valueText(after),
  }))

/** A text is shown without quotes, unless it would be invisible. */
function valueText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(value)
}
