import { test } from 'node:test'

/** `test` for an expensive variant of what other tests of `npm test` protect: in `npm run test:long` only. */
export const testLong = process.env.TEST_LONG === undefined ? () => {} : test
