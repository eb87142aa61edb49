import type { ColumnTypes } from './column-types.ts'

export const softwarePackages = ({ text, integer, blob }: ColumnTypes): string => `
alter table "hosts" add column "hostKey" ${text};
alter table "hosts" add column "sealedPrivateKey" ${blob};

alter table "backupStorage" add column "hostKey" ${text};
alter table "backupStorage" add column "sealedCredentials" ${blob};

create table "softwarePackages" (
  "uuid" ${text} primary key, "name" ${text} not null, "type" ${text} not null,
  "hostUuid" ${text} references "hosts", "managementNodeUuid" ${text},
  "backupStorageUuid" ${text} references "backupStorage",
  "installPath" ${text} not null, "unzipInstallPath" ${text}, "md5sum" ${text}, "status" ${text} not null,
  "size" ${integer} not null, "format" ${text}, "topFolder" ${text}, "manifest" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "softwarePackagesByDate" on "softwarePackages" ("createDate", "uuid");
create index "softwarePackagesByName" on "softwarePackages" ("name", "uuid");
create index "softwarePackagesByHost" on "softwarePackages" ("hostUuid");
create unique index "softwarePackagesByHostPath" on "softwarePackages" ("hostUuid", "installPath")
  where "backupStorageUuid" is null and "status" <> 'UploadFailed';
create unique index "softwarePackagesByStoragePath" on "softwarePackages" ("backupStorageUuid", "installPath")
  where "status" <> 'UploadFailed';
`
