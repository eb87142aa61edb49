import type { ColumnTypes } from './column-types.ts'

/** Entries from their commit until they are chained, as JSON: every change writes one, so the table has no index but its key. */
export const pendingAuditEntries = ({ text, rowId }: ColumnTypes): string => `
create table "pendingAuditEntries" ("id" ${rowId}, "entry" ${text} not null);
`
