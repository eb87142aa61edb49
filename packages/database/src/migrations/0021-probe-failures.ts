import type { ColumnTypes } from './column-types.ts'

/** Null in rows of an older version. */
export const probeFailures = ({ text }: ColumnTypes): string => `
alter table "hosts" add column "errorCode" ${text};
alter table "hosts" add column "errorDetails" ${text};
alter table "backupStorage" add column "errorCode" ${text};
alter table "backupStorage" add column "errorDetails" ${text};
`
