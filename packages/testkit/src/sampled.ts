const step = 3

/**
 * Rows that each cost seconds, of which one shows what its neighbours show: `npm test` takes every third, and
 * `npm run test:long` all of them.
 */
export function sampled<T>(rows: readonly T[]): T[] {
  const taken = rows.filter((_, index) => process.env.TEST_LONG !== undefined || index % step === 0)
  if (taken.length === 0) throw new Error('a sample of nothing tests nothing')
  return taken
}
