import type { ColumnTypes } from './column-types.ts'

/** The call that opened an upload, to which the job that follows from it is attributed. */
export const uploadSources = ({ text }: ColumnTypes): string => `
alter table "uploads" add column "auditSource" ${text};
`
