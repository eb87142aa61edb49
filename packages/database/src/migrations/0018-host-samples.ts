import type { ColumnTypes } from './column-types.ts'

export const hostSamples = ({ text, integer }: ColumnTypes): string => `
create table "hostSamples" (
  "hostUuid" ${text} not null references "hosts" on delete cascade, "time" ${integer} not null,
  "load1" ${integer}, "processors" ${integer}, "memoryUsedBytes" ${integer}, "memoryTotalBytes" ${integer},
  "diskUsedBytes" ${integer} not null, "diskTotalBytes" ${integer} not null,
  "packagesDiskUsedBytes" ${integer}, "packagesDiskTotalBytes" ${integer},
  primary key ("hostUuid", "time"));
create index "hostSamplesByTime" on "hostSamples" ("time");
`
