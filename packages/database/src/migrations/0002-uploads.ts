import type { ColumnTypes } from './column-types.ts'

export const uploads = ({ text, integer }: ColumnTypes): string => `
create table "uploads" (
  "id" ${text} primary key, "packageUuid" ${text} not null, "managementNodeUuid" ${text} not null,
  "accountUuid" ${text} not null, "userUuid" ${text} not null, "fileName" ${text} not null,
  "size" ${integer}, "md5" ${text}, "resumeKey" ${text}, "state" ${text} not null, "uncheckedFrom" ${integer},
  "expiryDate" ${integer} not null, "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "uploadsByPackage" on "uploads" ("packageUuid");
create index "uploadsByResumeKey" on "uploads" ("userUuid", "resumeKey") where "resumeKey" is not null;
create index "uploadsOpen" on "uploads" ("expiryDate") where "state" = 'Open';
create index "uploadsByEnd" on "uploads" ("lastOpDate") where "state" <> 'Open';
`
