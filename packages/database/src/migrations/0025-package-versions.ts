import { type QueryExecutorProvider, sql } from 'kysely'
import type { ColumnTypes } from './column-types.ts'

/** The version, release and health of packages, and what upgrades and rollbacks need. */
export const packageVersions = ({ text, integer, blob }: ColumnTypes): string => `
alter table "softwarePackages" add column "version" ${text};
alter table "softwarePackages" add column "releaseUuid" ${text};
alter table "softwarePackages" add column "health" ${text};
alter table "softwarePackages" add column "lastVerifiedDate" ${integer};
alter table "softwarePackages" add column "softwareName" ${text};
alter table "softwarePackages" add column "sha256" ${text};
alter table "softwarePackages" add column "sealedInstallConfig" ${blob};
create index "softwarePackagesByHostAndSoftware" on "softwarePackages" ("hostUuid", "softwareName");
create index "softwarePackagesByRelease" on "softwarePackages" ("releaseUuid") where "releaseUuid" is not null;
update "softwarePackages" set "health" = 'Unknown'
  where "status" in ('Installed', 'Initializing', 'Initialized', 'InitializeFailed');
`

/** A manifest has up to 256 KiB. */
const rowsAtOnce = 100

/** In JavaScript: PostgreSQL before 16 cannot skip a manifest that is not JSON. */
export async function fillPackageVersions(db: QueryExecutorProvider): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ uuid: string; manifest: string }>`
      select "uuid", "manifest" from "softwarePackages"
      where "manifest" is not null and "uuid" > ${after} order by "uuid" limit ${rowsAtOnce}`.execute(db)
    const declared = rows.map(({ uuid, manifest }) => ({ uuid, ...readNameAndVersion(manifest) }))
    const known = declared.filter(({ name, version }) => (name ?? version) !== null)
    if (known.length > 0)
      await sql`update "softwarePackages" set "softwareName" = "declared"."column2", "version" = "declared"."column3"
        from (values ${sql.join(known.map(({ uuid, name, version }) => sql`(${uuid}, ${name}, ${version})`))}) as "declared"
        where "softwarePackages"."uuid" = "declared"."column1"`.execute(db)
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    after = last.uuid
  }
}

function readNameAndVersion(manifest: string): { name: string | null; version: string | null } {
  try {
    const { name, version } = Object(JSON.parse(manifest)) as Record<string, unknown>
    return { name: textOrNull(name), version: textOrNull(version) }
  } catch {
    return { name: null, version: null }
  }
}

/** By the rules of a manifest; PostgreSQL rejects a text with NUL. */
const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= 255 && /^[^\p{Cc}]+$/u.test(value) && value.isWellFormed() ? value : null
