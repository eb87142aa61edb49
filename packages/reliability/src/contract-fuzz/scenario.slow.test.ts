import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSeed } from '../seeded-random.ts'
import { FuzzFixture } from './fuzz-fixture.ts'
import { fuzzContract, testedElsewhere } from './scenario.ts'

const casesPerOperation = process.env.TEST_LONG ? 60 : 4

test('every operation answers valid and invalid calls as it declares', { timeout: 300_000 }, async (t) => {
  const fixture = await FuzzFixture.start(t)
  const figures = await withSeed((random) => fuzzContract(fixture, { casesPerOperation, random }))
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(figures.neverBroken, [])
  assert.deepEqual(figures.neverSucceeded, testedElsewhere)
})
