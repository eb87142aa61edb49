import type { ColumnTypes } from './column-types.ts'

/** The map of a host is in its row for answers; the table finds hosts by a label. */
export const hostLabels = ({ text, integer }: ColumnTypes): string => `
alter table "hosts" add column "labels" ${text} not null default '{}';
create table "hostLabels" (
  "hostUuid" ${text} not null references "hosts" on delete cascade, "label" ${text} not null, "labelValue" ${text} not null,
  "hostCreateDate" ${integer} not null,
  primary key ("hostUuid", "label"));
create index "hostLabelsByValue" on "hostLabels" ("label", "labelValue", "hostCreateDate", "hostUuid");
`
