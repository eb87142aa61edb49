import type { ColumnTypes } from './column-types.ts'

/** An older node leaves them null. */
export const relatedJobsAndHealthErrors = ({ text }: ColumnTypes): string => `
alter table "jobs" add column "relatedUuid" ${text};
create index "jobsByRelated" on "jobs" ("relatedUuid", "createDate") where "relatedUuid" is not null;
alter table "softwarePackages" add column "healthError" ${text};
`
