import type { ColumnTypes } from './column-types.ts'

/**
 * The SHA-256 that an upload must have; the path on backup storage as it was sent. And configurations that callers had sent
 * with a create were stored as they were, passwords included: they are emptied. What the server itself stored remains: the
 * `installConfig` of a package is newer than its `uploadConfig`, and a cluster with an `initConfig` is configured.
 */
export const uploadDigests = ({ text }: ColumnTypes): string => `
alter table "uploads" add column "sha256" ${text};
alter table "softwarePackages" add column "sentInstallPath" ${text};
update "systemTags" set "tag" = 'installConfig::{}' where substr("tag", 1, 15) = 'installConfig::'
  and ("resourceType" <> 'SoftwarePackage' or "createDate" in (select "sent"."createDate" from "systemTags" as "sent"
    where "sent"."resourceUuid" = "systemTags"."resourceUuid" and substr("sent"."tag", 1, 14) = 'uploadConfig::'));
update "systemTags" set "tag" = 'initConfig::{}' where substr("tag", 1, 12) = 'initConfig::'
  and "resourceUuid" not in (select "uuid" from "clusterPlugins" where "sealedConfiguration" is not null);
update "systemTags" set "tag" = 'uploadConfig::{}' where substr("tag", 1, 14) = 'uploadConfig::'
  and "resourceType" <> 'SoftwarePackage';
`
