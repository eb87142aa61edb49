import type { ColumnTypes } from './column-types.ts'

/** Null wherever an older node writes: whoever reads it falls back to what is known otherwise. */
export const callOwners = ({ text }: ColumnTypes): string => `
alter table "idempotencyKeys" add column "userUuid" ${text};
alter table "uploads" add column "permission" ${text};
update "uploads" set "permission" = 'administer' where "state" = 'Open' and "packageUuid" in
  (select "p"."uuid" from "softwarePackages" "p" join "hosts" on "hosts"."uuid" = "p"."hostUuid" where "driver" = 'local');
create index "uploadsByUser" on "uploads" ("userUuid");
`
