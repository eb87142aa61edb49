import type { ColumnTypes } from './column-types.ts'

/** The schemes of existing keys are those that every key accepts by default. */
export const accessKeyLimits = ({ text, integer, blob }: ColumnTypes): string => `
alter table "accessKeys" add column "maxRole" ${text};
alter table "accessKeys" add column "operations" ${text} not null default '[]';
alter table "accessKeys" add column "allowedCidrs" ${text} not null default '[]';
alter table "accessKeys" add column "schemes" ${text} not null default '["service","rfc9421"]';
alter table "accessKeys" add column "publicKey" ${text};
alter table "accessKeys" add column "expiresDate" ${integer};
alter table "accessKeys" add column "lastUsedDate" ${integer};
alter table "accessKeys" add column "overlapEndDate" ${integer};
alter table "accessKeys" add column "sealedPreviousSecret" ${blob};
alter table "accessKeys" add column "previousPublicKey" ${text};
alter table "accessKeys" add column "expiryReportDate" ${integer};
create index "accessKeysByExpiry" on "accessKeys" ("expiresDate");
create table "usedNonces" (
  "AccessKeyID" ${text} not null, "nonce" ${text} not null, "requestId" ${text} not null,
  "expiresDate" ${integer} not null,
  primary key ("AccessKeyID", "nonce"));
create index "usedNoncesByExpiry" on "usedNonces" ("expiresDate");
`
