import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withChance } from '../chance.ts'
import { fuzzContract, onlyElsewhere } from './scenario.ts'
import { FuzzWorld } from './world.ts'

const casesPerOperation = 100

test('every operation answers valid and invalid calls as it declares', async (t) => {
  const world = await FuzzWorld.start(t)
  const figures = await withChance((chance) => fuzzContract(world, { casesPerOperation, chance }))
  t.diagnostic(JSON.stringify(figures))
  assert.ok(figures.broken > 0)
  assert.deepEqual(figures.neverSucceeded, onlyElsewhere)
})
