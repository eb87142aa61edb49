import type { AuditChanges, AuditRecord } from '@wharf/contract'
import type { PublicRow } from './entry-store.ts'

/** A row in the form that is hashed and exported. */
export const auditRecord = (row: PublicRow): AuditRecord => ({
  ...row,
  startDate: new Date(row.startDate).toISOString(),
  endDate: new Date(row.endDate).toISOString(),
  changes: JSON.parse(row.changes) as AuditChanges,
  seq: row.seq ?? 0,
  hash: row.hash ?? '',
})
