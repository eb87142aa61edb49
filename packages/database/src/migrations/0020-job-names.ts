import type { ColumnTypes } from './column-types.ts'

/** Null in rows of an older version. */
export const jobNames = ({ text, integer, blob }: ColumnTypes): string => `
alter table "jobs" add column "subjectName" ${text};
alter table "jobs" add column "subjectVersion" ${text};
alter table "jobs" add column "targetName" ${text};
alter table "jobs" add column "userName" ${text};
alter table "jobs" add column "summary" ${text};
alter table "jobs" add column "endDate" ${integer};
alter table "jobs" add column "sealedCall" ${blob};
`
