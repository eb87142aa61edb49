import type { ColumnTypes } from './column-types.ts'

/** Null in the lines of programs, and in all lines that an older node writes. */
export const logLineKinds = ({ text }: ColumnTypes): string => `
alter table "jobLogs" add column "kind" ${text};
create index "jobLogsByKind" on "jobLogs" ("jobUuid", "sequence") where "kind" is not null;
`
