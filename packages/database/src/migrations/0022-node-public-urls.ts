import type { ColumnTypes } from './column-types.ts'

/** Null in rows of an older version. */
export const nodePublicUrls = ({ text }: ColumnTypes): string => `
alter table "managementNodes" add column "publicUrl" ${text};
`
