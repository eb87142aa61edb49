import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { withChance } from '../chance.ts'
import { fuzzContract, onlyElsewhere } from './scenario.ts'
import { FuzzWorld } from './world.ts'

const casesPerOperation = testEngine === 'sqlite' ? 100 : 20

test('every operation answers valid and invalid calls as it declares', async (t) => {
  const world = await FuzzWorld.start(t)
  const figures = await withChance((chance) => fuzzContract(world, { casesPerOperation, chance }))
  t.diagnostic(JSON.stringify(figures))
  assert.ok(figures.broken > 0)
  // with fewer cases one or the other operation may be out of luck
  if (testEngine === 'sqlite') assert.deepEqual(figures.neverSucceeded, onlyElsewhere)
})
