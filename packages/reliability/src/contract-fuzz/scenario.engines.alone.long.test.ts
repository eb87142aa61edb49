import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withSeed } from '../seeded-random.ts'
import { FuzzFixture } from './fuzz-fixture.ts'
import { fuzzContract, testedElsewhere } from './scenario.ts'

const casesPerOperation = testEngine === 'sqlite' ? 2000 : 400

test('every operation answers thousands of valid and invalid calls as it declares', async (t) => {
  const fixture = await FuzzFixture.start(t)
  const began = performance.now()
  const figures = await withSeed((random) => fuzzContract(fixture, { casesPerOperation, random }))
  assert.deepEqual(figures.neverBroken, [])
  assert.deepEqual(figures.neverSucceeded, testedElsewhere)
  const seconds = Math.round((performance.now() - began) / 1000)
  t.diagnostic(
    `contract fuzz, ${testEngine}: ${casesPerOperation} cases of each operation, ${figures.valid} valid and ` +
      `${figures.broken} invalid calls in ${seconds} s; 0 answers of 500, 0 outside the schema, 0 invalid inputs accepted`,
  )
})
