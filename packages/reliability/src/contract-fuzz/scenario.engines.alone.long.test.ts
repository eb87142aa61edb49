import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withChance } from '../chance.ts'
import { fuzzContract, onlyElsewhere } from './scenario.ts'
import { FuzzWorld } from './world.ts'

const casesPerOperation = testEngine === 'sqlite' ? 2000 : 400

test('every operation answers thousands of valid and invalid calls as it declares', async (t) => {
  const world = await FuzzWorld.start(t)
  const began = performance.now()
  const figures = await withChance((chance) => fuzzContract(world, { casesPerOperation, chance }))
  assert.deepEqual(figures.neverSucceeded, onlyElsewhere)
  const seconds = Math.round((performance.now() - began) / 1000)
  t.diagnostic(
    `contract fuzz, ${testEngine}: ${casesPerOperation} cases of each operation, ${figures.valid} valid and ` +
      `${figures.broken} invalid calls in ${seconds} s; 0 answers of 500, 0 outside the schema, 0 invalid inputs accepted`,
  )
})
