import type { ColumnTypes } from './column-types.ts'

/** Null in rows that an older node writes: a reader must not depend on it. */
export const callOwners = ({ text }: ColumnTypes): string => `
alter table "idempotencyKeys" add column "userUuid" ${text};
alter table "uploads" add column "permission" ${text};
update "uploads" set "permission" = 'administer' where "state" = 'Open' and "packageUuid" in
  (select "p"."uuid" from "softwarePackages" "p" join "hosts" on "hosts"."uuid" = "p"."hostUuid" where "driver" = 'local');
create index "uploadsByUser" on "uploads" ("userUuid");
`
