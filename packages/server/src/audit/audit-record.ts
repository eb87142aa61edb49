import { type AuditChanges, AuditEntryInventory, type AuditRecord } from '@wharf/contract'
import { objectMapper } from '@wharf/platform/object-shape.ts'
import type { PublicRow } from './entry-store.ts'

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

const presenters: Readonly<Record<string, (value: unknown) => unknown>> = {
  startDate: timeText,
  endDate: timeText,
  changes: parsed,
}

const mapperOf = (names: readonly string[]) =>
  objectMapper(names.map((name) => ({ name, optional: false, present: presenters[name] })))

/** A row in the form that is exported. */
export const auditRecord = mapperOf(columns) as unknown as (row: PublicRow) => AuditRecord

/** A row in the form that is hashed, in the order of canonical JSON; most changes are written in it, and the others are sorted. */
export const hashedRecord = mapperOf(columns.filter((name) => name !== 'hash').sort()) as unknown as (
  row: PublicRow,
) => Omit<AuditRecord, 'hash'>
