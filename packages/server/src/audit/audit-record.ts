import { type AuditChanges, AuditEntryInventory, type AuditRecord, canonicalJson } from '@wharf/contract'
import { objectMapper } from '@wharf/platform/object-shape.ts'
import type { PublicRow } from './entry-store.ts'

/** An entry that is not in the trail yet. */
export interface PendingRow extends PublicRow {
  readonly hasCanonicalChanges?: 1
}

let lastSecond = Number.NaN
let lastPrefix = ''

/** RFC 3339, in UTC with milliseconds. Entries are in the order of their times, so most have the second of the one before. */
function timeText(time: unknown): string {
  const ms = Number(time)
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    lastPrefix = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  return `${lastPrefix}${String(ms - second * 1000).padStart(3, '0')}Z`
}

const parsed = (text: unknown): AuditChanges => JSON.parse(String(text))

const columns = Object.keys(AuditEntryInventory.schema.properties)

const converters: Readonly<Record<string, (value: unknown) => unknown>> = {
  startDate: timeText,
  endDate: timeText,
  changes: parsed,
}

const mapperOf = (names: readonly string[], by = converters) =>
  objectMapper(names.map((name) => ({ name, optional: false, convert: by[name] })))

/** A row in the form that is exported. */
export const auditRecord = mapperOf(columns) as unknown as (row: PublicRow) => AuditRecord

const hashedColumns = columns.filter((name) => name !== 'hash').sort()
const hashedRecord = mapperOf(hashedColumns)
const withoutChanges = mapperOf(hashedColumns, { ...converters, changes: () => 0 })
const noChanges = '"changes":0'

/** The canonical JSON of a row, which is hashed. Changes whose text is canonical are copied into it. */
export function hashedText(row: PendingRow): string {
  if (!row.hasCanonicalChanges) return canonicalJson(hashedRecord(row))
  const text = JSON.stringify(withoutChanges(row))
  // not a part of a value before it, in which quotation marks are escaped
  const at = text.indexOf(noChanges)
  return `${text.slice(0, at)}"changes":${row.changes}${text.slice(at + noChanges.length)}`
}
