import type { ColumnTypes } from './column-types.ts'

/** Targets have no reference to their host: the record of a rollout outlives it. */
export const rollouts = ({ text, integer, blob }: ColumnTypes): string => `
create table "maintenanceWindows" (
  "uuid" ${text} primary key, "name" ${text} not null, "selector" ${text} not null, "cron" ${text} not null,
  "durationMinutes" ${integer} not null, "timeZone" ${text} not null, "cutoffMinutes" ${integer} not null,
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "maintenanceWindowsByDate" on "maintenanceWindows" ("createDate", "uuid");
create table "rollouts" (
  "uuid" ${text} primary key, "name" ${text} not null, "releaseUuid" ${text} not null, "softwareName" ${text} not null,
  "version" ${text} not null, "state" ${text} not null, "pauseReason" ${text}, "pausedUntil" ${integer}, "reason" ${text},
  "selector" ${text} not null, "waves" ${text} not null, "currentWave" ${integer}, "spreadBy" ${text},
  "promotion" ${text} not null, "maxParallel" ${integer} not null, "maxFailures" ${text} not null,
  "unreachable" ${text} not null, "targetDeadlineSeconds" ${integer} not null, "soakSeconds" ${integer} not null,
  "alertPlatformUuids" ${text} not null, "retries" ${integer} not null, "onFailure" ${text} not null,
  "dynamic" ${integer} not null, "startAt" ${integer}, "windowUuid" ${text}, "ignoreWindow" ${integer} not null,
  "requiresApproval" ${integer} not null, "approvedBy" ${text}, "keepVersions" ${integer} not null, "stopMode" ${text},
  "targetCount" ${integer} not null, "succeededCount" ${integer} not null, "failedCount" ${integer} not null,
  "skippedCount" ${integer} not null, "accountUuid" ${text} not null, "userUuid" ${text} not null,
  "userName" ${text} not null, "sealedConfig" ${blob} not null, "rollBackScope" ${text},
  "isRollBackAutomatic" ${integer} not null, "startDate" ${integer}, "endDate" ${integer},
  "createDate" ${integer} not null, "lastOpDate" ${integer} not null);
create index "rolloutsByDate" on "rollouts" ("createDate", "uuid");
create index "rolloutsByRelease" on "rollouts" ("releaseUuid");
create index "rolloutsActive" on "rollouts" ("uuid")
  where "state" in ('AwaitingApproval', 'Scheduled', 'Running', 'Paused', 'RollingBack');
create table "rolloutWaves" (
  "uuid" ${text} primary key, "rolloutUuid" ${text} not null references "rollouts" on delete cascade,
  "number" ${integer} not null, "size" ${integer} not null, "state" ${text} not null,
  "succeededCount" ${integer} not null, "failedCount" ${integer} not null, "skippedCount" ${integer} not null,
  "soakUntil" ${integer}, "acceptedFailures" ${integer} not null, "gateSince" ${integer},
  "startDate" ${integer}, "endDate" ${integer}, "createDate" ${integer} not null, "lastOpDate" ${integer} not null,
  unique ("rolloutUuid", "number"));
create table "rolloutTargets" (
  "uuid" ${text} primary key, "rolloutUuid" ${text} not null references "rollouts" on delete cascade,
  "hostUuid" ${text} not null, "hostName" ${text} not null, "softwareName" ${text} not null, "wave" ${integer} not null,
  "sequence" ${integer} not null, "state" ${text} not null, "action" ${text} not null, "phase" ${text} not null,
  "jobUuid" ${text}, "attempts" ${integer} not null, "error" ${text}, "fromVersion" ${text}, "toVersion" ${text} not null,
  "packageUuid" ${text}, "previousPackageUuid" ${text}, "isOpen" ${integer} not null, "sealedConfig" ${blob},
  "bytes" ${integer} not null, "isWindowBound" ${integer} not null, "isChanged" ${integer} not null,
  "isVerified" ${integer} not null, "retryDate" ${integer}, "waitingSince" ${integer}, "startDate" ${integer},
  "endDate" ${integer}, "createDate" ${integer} not null, "lastOpDate" ${integer} not null,
  unique ("rolloutUuid", "hostUuid"));
create unique index "rolloutTargetsOpen" on "rolloutTargets" ("hostUuid", "softwareName") where "isOpen" = 1;
create index "rolloutTargetsByState" on "rolloutTargets" ("rolloutUuid", "state", "wave", "sequence");
create index "rolloutTargetsByWave" on "rolloutTargets" ("rolloutUuid", "wave", "uuid");
create index "softwarePackagesBySoftware" on "softwarePackages" ("softwareName", "hostUuid");
`
