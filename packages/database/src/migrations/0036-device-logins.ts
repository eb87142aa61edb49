import type { ColumnTypes } from './column-types.ts'

/** Sign-ins of devices without a browser, until they expire. */
export const deviceLogins = ({ text, integer }: ColumnTypes): string => `
create table "deviceLogins" (
  "uuid" ${text} primary key, "deviceCodeHash" ${text} not null unique, "userCode" ${text} not null unique,
  "clientName" ${text}, "client" ${text}, "address" ${text} not null, "network" ${text} not null,
  "requestedRole" ${text}, "state" ${text} not null, "accessKeyUuid" ${text},
  "pollDate" ${integer}, "intervalSeconds" ${integer} not null,
  "createDate" ${integer} not null, "expiresDate" ${integer} not null);
create index "deviceLoginsByDate" on "deviceLogins" ("createDate", "uuid");
create index "deviceLoginsByNetwork" on "deviceLogins" ("network");
create index "deviceLoginsByExpiry" on "deviceLogins" ("expiresDate");
`
