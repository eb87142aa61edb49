import type { ColumnTypes } from './column-types.ts'

export const ownEvents = ({ text, integer }: ColumnTypes): string => `
alter table "chatEndpoints" add column "ownEvents" ${text} not null default '[]';
alter table "chatEndpoints" add column "ownEventTemplate" ${text};
alter table "deliveries" add column "ownEvent" ${text};
alter table "deliveries" add column "resourceType" ${text};
alter table "deliveries" add column "resourceUuid" ${text};
alter table "deliveries" add column "ownEventData" ${text};
alter table "backupStorage" add column "isAlmostFull" ${integer};
create table "ownEventMessages" (
  "endpointUuid" ${text} not null references "chatEndpoints" on delete cascade, "topic" ${text} not null,
  "resourceUuid" ${text} not null, "sentEvent" ${text} not null, "sentDate" ${integer} not null,
  "heldEvent" ${text},
  primary key ("endpointUuid", "topic", "resourceUuid"));
create index "ownEventMessagesByDate" on "ownEventMessages" ("sentDate");
`
