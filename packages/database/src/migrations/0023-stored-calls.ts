/** Few rows: a job that succeeds has no stored call. The retention finds them however many jobs there are. */
export const storedCalls = (): string => `
create index "jobsStoredCall" on "jobs" ("lastOpDate")
  where "sealedCall" is not null and "state" in ('Succeeded', 'Failed', 'Cancelled');
`
