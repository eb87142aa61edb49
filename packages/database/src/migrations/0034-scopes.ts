import { type QueryExecutorProvider, sql } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

/** Limits of users, keys and uploads to hosts by label, and what connects jobs, clusters and deletions with hosts. */
export const scopes = ({ text }: ColumnTypes): string => `
alter table "users" add column "scope" ${text} not null default '[]';
alter table "accessKeys" add column "scope" ${text} not null default '[]';
alter table "uploads" add column "scope" ${text} not null default '[]';
alter table "events" add column "hostLabels" ${text};
alter table "jobs" add column "hostUuid" ${text};
create table "clusterNodes" (
  "clusterUuid" ${text} not null references "clusterPlugins" on delete cascade, "address" ${text} not null,
  primary key ("clusterUuid", "address"));
create index "hostsByAddress" on "hosts" (lower("address"));
update "jobs" set "hostUuid" = coalesce(
  (select "uuid" from "hosts" where "hosts"."uuid" = "subjectUuid"),
  (select "hostUuid" from "softwarePackages" where "softwarePackages"."uuid" = "subjectUuid"),
  (select "hostUuid" from "gatewayVms" where "gatewayVms"."uuid" = "subjectUuid"),
  (select "softwarePackages"."hostUuid" from "clusterPlugins"
    join "softwarePackages" on "softwarePackages"."uuid" = "clusterPlugins"."softwarePackageUuid"
    where "clusterPlugins"."uuid" = "subjectUuid"));
`

/** The addresses of existing clusters, from the configuration that a tag shows. */
export async function fillClusterNodes(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ uuid: string; tag: string }>`
    select "clusterPlugins"."uuid", "tag" from "systemTags"
    join "clusterPlugins" on "clusterPlugins"."uuid" = "resourceUuid" where "tag" like 'initConfig::%'`.execute(db)
  for (const { uuid, tag } of rows)
    for (const address of addressesIn(tag.slice('initConfig::'.length)))
      await sql`insert into "clusterNodes" ("clusterUuid", "address") values (${uuid}, ${address})
        on conflict do nothing`.execute(db)
}

function addressesIn(json: string): string[] {
  try {
    const { otherManagementIp, otherStorageIp } = Object(JSON.parse(json)) as Record<string, unknown>
    const given = [otherManagementIp, otherStorageIp].flat()
    return given.filter((one) => typeof one === 'string').map((address) => address.toLowerCase())
  } catch {
    return []
  }
}
