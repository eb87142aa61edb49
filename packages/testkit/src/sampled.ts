import { testEngine } from './database/database.ts'

/** A row that kills a server costs the start of another: on the second engine every third runs, all of them in `test:long`. */
export const sampled = <T>(rows: readonly T[]): T[] =>
  rows.filter((_, index) => testEngine === 'sqlite' || process.env.TEST_LONG !== undefined || index % 3 === 0)
