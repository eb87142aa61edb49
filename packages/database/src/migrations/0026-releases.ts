import type { ColumnTypes } from './column-types.ts'

export const releases = ({ text, integer }: ColumnTypes): string => `
create table "releases" (
  "uuid" ${text} primary key, "name" ${text} not null, "version" ${text} not null, "type" ${text} not null,
  "sha256" ${text} not null, "md5sum" ${text} not null, "size" ${integer} not null,
  "softwarePackageUuid" ${text} not null references "softwarePackages",
  "backupStorageUuid" ${text} not null references "backupStorage",
  "description" ${text}, "state" ${text} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "releasesByDate" on "releases" ("createDate", "uuid");
create unique index "releasesByVersion" on "releases" ("name", "version");
create index "releasesByPackage" on "releases" ("softwarePackageUuid");
create index "releasesByStorage" on "releases" ("backupStorageUuid");
`
