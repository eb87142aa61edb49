import { test } from 'node:test'
import { testEngine } from './database.ts'

/**
 * `test` for a rule that does not depend on the engine, in a file that runs on both: on SQLite in `npm test`, on both in
 * `npm run test:long`.
 */
export const testOnce = testEngine === 'sqlite' || process.env.TEST_LONG !== undefined ? test : () => {}
