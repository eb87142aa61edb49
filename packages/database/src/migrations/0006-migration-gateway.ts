import type { ColumnTypes } from './column-types.ts'

export const migrationGateway = ({ text, integer }: ColumnTypes): string => `
create table "migratePackages" (
  "slot" ${integer} primary key, "packageUuid" ${text} not null references "softwarePackages" on delete cascade,
  "lastOpDate" ${integer} not null);
create unique index "migratePackagesByPackage" on "migratePackages" ("packageUuid");

create table "migrateImages" (
  "uuid" ${text} primary key, "packageUuid" ${text} not null references "softwarePackages" on delete cascade,
  "key" ${text} not null, "name" ${text} not null, "description" ${text}, "state" ${text} not null,
  "size" ${integer} not null, "actualSize" ${integer} not null, "md5Sum" ${text} not null, "url" ${text} not null,
  "mediaType" ${text} not null, "platform" ${text} not null, "format" ${text} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create unique index "migrateImagesByKey" on "migrateImages" ("packageUuid", "key");

create table "migrateImageReferences" (
  "imageUuid" ${text} not null references "migrateImages" on delete cascade,
  "backupStorageUuid" ${text} not null references "backupStorage", "installPath" ${text} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null,
  primary key ("imageUuid", "backupStorageUuid"));
create index "migrateImageReferencesByStorage" on "migrateImageReferences" ("backupStorageUuid");

create table "migrateImageCopies" (
  "imageUuid" ${text} not null references "migrateImages" on delete cascade,
  "hostUuid" ${text} not null references "hosts" on delete cascade, "path" ${text} not null,
  "createDate" ${integer} not null,
  primary key ("imageUuid", "hostUuid"));
create index "migrateImageCopiesByHost" on "migrateImageCopies" ("hostUuid");

create table "gatewayVms" (
  "uuid" ${text} primary key, "name" ${text} not null, "description" ${text}, "role" ${text} not null,
  "status" ${text} not null, "hostUuid" ${text} not null references "hosts",
  "packageUuid" ${text} not null references "softwarePackages", "imageUuid" ${text} references "migrateImages",
  "cpu" ${integer} not null, "memoryBytes" ${integer} not null, "network" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "gatewayVmsByDate" on "gatewayVms" ("createDate", "uuid");
create index "gatewayVmsByHost" on "gatewayVms" ("hostUuid");
create index "gatewayVmsByImage" on "gatewayVms" ("imageUuid");
create index "gatewayVmsByPackage" on "gatewayVms" ("packageUuid");
create unique index "gatewayVmsManaging" on "gatewayVms" ("packageUuid") where "role" = 'management';
`
