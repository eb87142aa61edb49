import type { ColumnTypes } from './column-types.ts'

/** How and from where sessions were created, and an index of their uuids, which are the first half of the hash. */
export const sessionOrigins = ({ text }: ColumnTypes): string => `
alter table "sessions" add column "kind" ${text} not null default 'Password';
alter table "sessions" add column "client" ${text};
alter table "sessions" add column "address" ${text};
create index "sessionsByDate" on "sessions" ("createDate", substr("hash", 1, 32));
create index "sessionsByUuid" on "sessions" (substr("hash", 1, 32));
`
