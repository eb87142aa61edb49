import type { Engine } from '../database.ts'
import type { ColumnTypes } from './column-types.ts'

const active = `("state" = 'Waiting' or "state" = 'Running' or "state" = 'Undoing')`
const ended = `("state" = 'Succeeded' or "state" = 'Failed' or "state" = 'Cancelled')`

/** SQLite builds a table of the values of `in` for every row that it writes, which takes as long as the row. */
const jobIndexes = `
drop index "jobsActive";
create index "jobsActive" on "jobs" ("leaseUntil") where ${active};
drop index "jobsActiveBySubject";
create unique index "jobsActiveBySubject" on "jobs" ("subjectUuid") where "subjectUuid" is not null and ${active};
drop index "jobsStoredCall";
create index "jobsStoredCall" on "jobs" ("lastOpDate") where "sealedCall" is not null and ${ended};
`

/** Events are written by every change, and removed in the order of their numbers. */
export const cheaperIndexes = (_: ColumnTypes, engine: Engine): string => `
drop index "eventsByTime";
${engine === 'sqlite' ? jobIndexes : ''}`
