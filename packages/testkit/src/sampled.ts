import { testEngine } from './database/database.ts'

const step = testEngine === 'sqlite' ? 3 : 4

/**
 * Rows that each cost seconds, of which one shows what its neighbours show: `npm test` takes every third, on the second
 * engine every fourth, and `npm run test:long` all of them.
 */
export function sampled<T>(rows: readonly T[]): T[] {
  const taken = rows.filter((_, index) => process.env.TEST_LONG !== undefined || index % step === 0)
  if (taken.length === 0) throw new Error('a sample of nothing tests nothing')
  return taken
}
