import type { ColumnTypes } from './column-types.ts'

export const foundation = ({ text, integer, blob, serial }: ColumnTypes): string => `
create table "settings" ("name" ${text} primary key, "value" ${text} not null);

create table "managementNodes" (
  "uuid" ${text} primary key, "hostName" ${text} not null, "url" ${text}, "version" ${text} not null,
  "status" ${text} not null, "createDate" ${integer} not null, "lastOpDate" ${integer} not null);

create table "accounts" (
  "uuid" ${text} primary key, "name" ${text} not null unique, "description" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "accountsByDate" on "accounts" ("createDate", "uuid");

create table "users" (
  "uuid" ${text} primary key, "accountUuid" ${text} not null references "accounts" on delete cascade,
  "name" ${text} not null, "role" ${text} not null, "passwordHash" ${text} not null, "description" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null, unique ("accountUuid", "name"));
create index "usersByDate" on "users" ("createDate", "uuid");

create table "sessions" (
  "hash" ${text} primary key, "accountUuid" ${text} not null,
  "userUuid" ${text} not null references "users" on delete cascade,
  "createDate" ${integer} not null, "lastUseDate" ${integer} not null, "expiredDate" ${integer} not null);
create index "sessionsByAccount" on "sessions" ("accountUuid", "lastUseDate");
create index "sessionsByUser" on "sessions" ("userUuid");
create index "sessionsByExpiry" on "sessions" ("expiredDate");

create table "accessKeys" (
  "uuid" ${text} primary key, "AccessKeyID" ${text} not null unique, "sealedSecret" ${blob} not null,
  "accountUuid" ${text} not null, "userUuid" ${text} not null references "users" on delete cascade,
  "state" ${text} not null, "description" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "accessKeysByDate" on "accessKeys" ("createDate", "uuid");
create index "accessKeysByUser" on "accessKeys" ("userUuid");

create table "tags" (
  "uuid" ${text} primary key, "name" ${text} not null unique, "color" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "tagsByDate" on "tags" ("createDate", "uuid");

create table "systemTags" (
  "uuid" ${text} primary key, "resourceUuid" ${text} not null, "resourceType" ${text} not null, "tag" ${text} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "systemTagsByResource" on "systemTags" ("resourceUuid");
create index "systemTagsByDate" on "systemTags" ("createDate", "uuid");

create table "userTags" (
  "uuid" ${text} primary key, "resourceUuid" ${text} not null, "resourceType" ${text} not null, "tag" ${text} not null,
  "tagUuid" ${text} references "tags" on delete cascade,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "userTagsByResource" on "userTags" ("resourceUuid");
create index "userTagsByTag" on "userTags" ("tagUuid");
create index "userTagsByDate" on "userTags" ("createDate", "uuid");

create table "hosts" (
  "uuid" ${text} primary key, "name" ${text} not null, "description" ${text}, "driver" ${text} not null,
  "address" ${text} not null, "sshPort" ${integer}, "username" ${text}, "hostKeyFingerprint" ${text},
  "managementNodeUuid" ${text}, "state" ${text} not null, "status" ${text} not null,
  "hostName" ${text}, "sn" ${text}, "manufacturer" ${text}, "product" ${text}, "system" ${text}, "architecture" ${text},
  "totalCapacity" ${integer} not null, "availableCapacity" ${integer} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "hostsByDate" on "hosts" ("createDate", "uuid");
create index "hostsByName" on "hosts" ("name", "uuid");
create index "hostsByNode" on "hosts" ("managementNodeUuid");

create table "backupStorage" (
  "uuid" ${text} primary key, "name" ${text} not null, "description" ${text}, "type" ${text} not null,
  "url" ${text} not null, "managementNodeUuid" ${text}, "state" ${text} not null, "status" ${text} not null,
  "totalCapacity" ${integer} not null, "availableCapacity" ${integer} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "backupStorageByDate" on "backupStorage" ("createDate", "uuid");
create index "backupStorageByNode" on "backupStorage" ("managementNodeUuid");

create table "jobs" (
  "uuid" ${text} primary key, "operation" ${text} not null, "subjectUuid" ${text},
  "accountUuid" ${text} not null, "userUuid" ${text} not null, "managementNodeUuid" ${text},
  "state" ${text} not null, "progress" ${integer} not null, "position" ${integer} not null, "currentStep" ${text},
  "errorCode" ${text}, "sealedInput" ${blob} not null, "sealedMemory" ${blob}, "sealedOutcome" ${blob},
  "owner" ${text}, "fence" ${integer} not null, "leaseUntil" ${integer} not null, "deadline" ${integer} not null,
  "cancelRequested" ${integer} not null, "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "jobsByDate" on "jobs" ("createDate", "uuid");
create index "jobsByEnd" on "jobs" ("lastOpDate");
-- one subject runs one job at a time: the database itself refuses the second
create unique index "jobsActiveBySubject" on "jobs" ("subjectUuid")
  where "subjectUuid" is not null and "state" in ('Waiting', 'Running', 'Undoing');
create index "jobsActive" on "jobs" ("leaseUntil") where "state" in ('Waiting', 'Running', 'Undoing');

create table "jobLogs" (
  "jobUuid" ${text} not null references "jobs" on delete cascade,
  "sequence" ${integer} not null, "at" ${integer} not null, "line" ${text} not null,
  primary key ("jobUuid", "sequence"));

create table "idempotencyKeys" (
  "key" ${text} primary key, "accountUuid" ${text} not null, "fingerprint" ${text} not null,
  "jobUuid" ${text} references "jobs" on delete cascade, "sealedAnswer" ${blob}, "createDate" ${integer} not null);
create index "idempotencyKeysByJob" on "idempotencyKeys" ("jobUuid");
create index "idempotencyKeysByDate" on "idempotencyKeys" ("createDate");

create table "events" (
  "sequence" ${serial}, "type" ${text} not null, "resourceType" ${text} not null, "uuid" ${text} not null,
  "at" ${integer} not null, "audience" ${text});
create index "eventsByTime" on "events" ("at");
`
