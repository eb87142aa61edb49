import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RolloutPlanEntry } from '@wharf/sdk'
import { planSummary } from './plan.ts'

const entryOf = (wave: number) => ({ wave, action: 'Upgrade', bytes: 0, obstacle: null }) as RolloutPlanEntry

test('the number of waves is that of the last one; waves without hosts are named', () => {
  const summaryOf = (...waves: number[]): string => planSummary(waves.map(entryOf)).split(':')[0] ?? ''
  assert.equal(summaryOf(1, 2, 2), '3 hosts in 2 waves')
  assert.equal(summaryOf(1, 3), '2 hosts in 3 waves, none in wave 2')
})
