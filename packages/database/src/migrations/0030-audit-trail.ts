import type { ColumnTypes } from './column-types.ts'

/** The chain has one row: the first entry that is kept, the last sealed one, and the node that seals until its lease ends. */
export const auditTrail = ({ text, integer, rowId }: ColumnTypes): string => `
create table "auditEntries" (
  "id" ${rowId}, "uuid" ${text} not null, "seq" ${integer}, "startDate" ${integer} not null, "endDate" ${integer} not null,
  "requestId" ${text}, "managementNodeUuid" ${text} not null, "operation" ${text} not null, "method" ${text}, "path" ${text},
  "actorKind" ${text} not null, "accountUuid" ${text}, "userUuid" ${text}, "actorName" ${text}, "role" ${text},
  "credentialUuid" ${text}, "sourceIp" ${text}, "userAgent" ${text}, "resourceType" ${text}, "resourceUuid" ${text},
  "resourceName" ${text}, "changes" ${text} not null, "outcome" ${text} not null, "status" ${integer}, "errorCode" ${text},
  "jobUuid" ${text}, "count" ${integer} not null, "hash" ${text}, "openUntil" ${integer});
create index "auditEntriesByUuid" on "auditEntries" ("uuid");
create index "auditEntriesByDate" on "auditEntries" ("endDate", "uuid");
create index "auditEntriesByResource" on "auditEntries" ("resourceUuid", "endDate", "uuid") where "resourceUuid" is not null;
create index "auditEntriesByUser" on "auditEntries" ("userUuid", "endDate", "uuid") where "userUuid" is not null;
create index "auditEntriesByOperation" on "auditEntries" ("operation", "endDate", "uuid");
create index "auditEntriesByJob" on "auditEntries" ("jobUuid") where "jobUuid" is not null;
create index "auditEntriesRefused" on "auditEntries" ("outcome", "endDate", "uuid") where "outcome" <> 'Success';
create unique index "auditEntriesBySeq" on "auditEntries" ("seq") where "seq" is not null;
create index "auditEntriesUnsealed" on "auditEntries" ("id") where "seq" is null;
create table "auditDigests" (
  "uuid" ${text} primary key, "firstSeq" ${integer} not null unique, "lastSeq" ${integer} not null unique,
  "count" ${integer} not null, "head" ${text} not null, "previousSignature" ${text}, "document" ${text} not null,
  "signature" ${text} not null, "createDate" ${integer} not null);
create index "auditDigestsByDate" on "auditDigests" ("createDate", "uuid");
create table "auditChain" (
  "slot" ${integer} primary key, "firstSeq" ${integer} not null, "lastSeq" ${integer} not null, "lastHash" ${text} not null,
  "owner" ${text}, "leaseUntil" ${integer} not null);
alter table "jobs" add column "auditSource" ${text};
alter table "jobs" add column "auditChanges" ${text};
`
