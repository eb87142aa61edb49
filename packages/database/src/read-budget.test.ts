import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadBudget } from './read-budget.ts'

test('a user whose reads take long uses up its budget, which refills; ordinary reads and other users are free', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const budget = new ReadBudget({ freeMs: 5, capacityMs: 60, refill: 0.1 })
  for (let read = 0; read < 1000; read++) budget.charge('a', 4)
  assert.ok(budget.hasLeft('a'))
  for (let read = 0; read < 3; read++) {
    assert.ok(budget.hasLeft('a'))
    budget.charge('a', 20)
  }
  assert.ok(!budget.hasLeft('a'))
  assert.ok(budget.hasLeft('b'))
  now = 210
  assert.ok(budget.hasLeft('a'))
  budget.charge('a', 30)
  assert.ok(!budget.hasLeft('a'))
  now = 10_000
  assert.ok(budget.hasLeft('a'))
})
