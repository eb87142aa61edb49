import type { ColumnTypes } from './column-types.ts'

/** Null for targets that an older node has started: they are restored only from the files on their host. */
export const rolloutRestores = ({ blob }: ColumnTypes): string => `
alter table "rolloutTargets" add column "sealedPrevious" ${blob};
`
