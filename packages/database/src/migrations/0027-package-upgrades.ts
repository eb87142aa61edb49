import type { ColumnTypes } from './column-types.ts'

/** An older node leaves them null: it upgrades nothing, and a package that it installs gets its date of verification here. */
export const packageUpgrades = ({ text, integer }: ColumnTypes): string => `
alter table "softwarePackages" add column "previousUuid" ${text};
alter table "softwarePackages" add column "supersededDate" ${integer};
alter table "softwarePackages" add column "upgradeLock" ${text};
alter table "softwarePackages" add column "nextVerifyDate" ${integer};
create unique index "softwarePackagesByUpgradeLock" on "softwarePackages" ("upgradeLock") where "upgradeLock" is not null;
create index "softwarePackagesByNextVerifyDate" on "softwarePackages" ("nextVerifyDate", "status");
`
