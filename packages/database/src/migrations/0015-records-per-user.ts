/** For the limits per user; partial indexes contain only the rows that count. */
export const recordsPerUser = (): string => `
create index "uploadsOpenByUser" on "uploads" ("userUuid") where "state" = 'Open';
create index "jobsRefusedByUser" on "jobs" ("userUuid", "createDate", "uuid")
  where "state" = 'Failed' and "deadline" = "createDate";
`
