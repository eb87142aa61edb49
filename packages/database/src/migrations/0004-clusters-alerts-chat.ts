import type { ColumnTypes } from './column-types.ts'

export const clustersAlertsChat = ({ text, integer, blob }: ColumnTypes): string => `
create table "thirdPartyPlatforms" (
  "uuid" ${text} primary key, "name" ${text} not null, "type" ${text} not null, "url" ${text} not null,
  "template" ${text} not null, "state" ${text} not null, "description" ${text},
  "tokenVersion" ${integer} not null, "lastSyncDate" ${integer} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "thirdPartyPlatformsByDate" on "thirdPartyPlatforms" ("createDate", "uuid");

create table "clusterPlugins" (
  "uuid" ${text} primary key, "name" ${text} not null, "managementIp" ${text} not null, "apiPort" ${integer} not null,
  "softwarePackageUuid" ${text} references "softwarePackages",
  "sealedToken" ${blob}, "sealedConfiguration" ${blob}, "sealedCredential" ${blob}, "finishedStep" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "clusterPluginsByDate" on "clusterPlugins" ("createDate", "uuid");
create index "clusterPluginsByPackage" on "clusterPlugins" ("softwarePackageUuid");

create table "clusterPluginAlertPlatforms" (
  "clusterUuid" ${text} primary key references "clusterPlugins",
  "thirdPartyPlatformUuid" ${text} not null references "thirdPartyPlatforms" on delete cascade,
  "createDate" ${integer} not null);
create unique index "clusterPluginAlertPlatformsByPlatform" on "clusterPluginAlertPlatforms" ("thirdPartyPlatformUuid");

create table "thirdPartyAlerts" (
  "uuid" ${text} primary key, "platformUuid" ${text} not null references "thirdPartyPlatforms" on delete cascade,
  "name" ${text} not null, "status" ${text} not null, "severity" ${text}, "fingerprint" ${text} not null,
  "labels" ${text} not null, "annotations" ${text} not null, "startsAt" ${integer} not null, "endsAt" ${integer},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create unique index "thirdPartyAlertsByChange"
  on "thirdPartyAlerts" ("platformUuid", "fingerprint", "startsAt", "status");
create index "thirdPartyAlertsByDate" on "thirdPartyAlerts" ("createDate", "uuid");

create table "chatEndpoints" (
  "uuid" ${text} primary key, "name" ${text} not null, "description" ${text}, "type" ${text} not null,
  "url" ${text} not null, "sealedUrl" ${blob} not null, "sealedSecret" ${blob}, "atAll" ${integer} not null,
  "language" ${text} not null, "platformUuids" ${text} not null, "state" ${text} not null,
  "owner" ${text}, "leaseUntil" ${integer} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "chatEndpointsByDate" on "chatEndpoints" ("createDate", "uuid");

create table "atPersons" (
  "uuid" ${text} primary key, "userId" ${text} not null,
  "endpointUuid" ${text} not null references "chatEndpoints" on delete cascade, "remark" ${text},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create unique index "atPersonsByEndpoint" on "atPersons" ("endpointUuid", "userId");
create index "atPersonsByDate" on "atPersons" ("createDate", "uuid");

create table "deliveries" (
  "uuid" ${text} primary key, "endpointUuid" ${text} not null references "chatEndpoints" on delete cascade,
  "alertUuid" ${text} references "thirdPartyAlerts" on delete set null,
  "title" ${text} not null, "text" ${text} not null, "severity" ${text} not null, "status" ${text} not null,
  "attempts" ${integer} not null, "partsDelivered" ${integer} not null, "reason" ${text},
  "nextAttemptDate" ${integer}, "giveUpDate" ${integer} not null, "deliveredDate" ${integer},
  "sequence" ${integer} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "deliveriesByDate" on "deliveries" ("createDate", "uuid");
create index "deliveriesWaiting" on "deliveries" ("endpointUuid", "sequence") where "status" = 'Waiting';
create index "deliveriesBySequence" on "deliveries" ("sequence");
create index "deliveriesByEndpoint" on "deliveries" ("endpointUuid");
create index "deliveriesByAlert" on "deliveries" ("alertUuid");
`
