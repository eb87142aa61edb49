import type { ColumnTypes } from './column-types.ts'

export const candidateHosts = ({ text }: ColumnTypes): string => `
create table "candidateSightings" (
  "managementNodeUuid" ${text} not null references "managementNodes" on delete cascade,
  "identity" ${text} not null, "candidate" ${text} not null,
  primary key ("managementNodeUuid", "identity"));
`
