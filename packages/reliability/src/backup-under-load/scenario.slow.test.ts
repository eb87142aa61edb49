import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { backupUnderLoad } from './scenario.ts'

/** `restore.engines.slow.test.ts` damages every byte of a small one. So many rows that writes fall into the time in which they are read; PostgreSQL hands them out more slowly. */
const sizes = { rows: testEngine === 'sqlite' ? 12_000 : 5000, rounds: 1, places: 3 }

test('a backup under load is a consistent snapshot, restores elsewhere, and is refused with any byte changed or missing', (t) =>
  withSeed(async (random) => {
    const { during } = await backupUnderLoad(t, { ...sizes, random })
    assert.ok(during > 20, `${during} writes while it was made`)
  }))
