/** What a user has is counted before it gets more; only rows that count are in these indexes. */
export const recordsPerUser = (): string => `
create index "uploadsOpenByUser" on "uploads" ("userUuid") where "state" = 'Open';
create index "jobsRefusedByUser" on "jobs" ("userUuid", "createDate", "uuid")
  where "state" = 'Failed' and "deadline" = "createDate";
`
