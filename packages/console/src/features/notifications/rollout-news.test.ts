import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDate } from '@wharf/sdk'
import { type RolloutRecord, rolloutNews, seenAfter } from './rollout-news.ts'

const rollout = (uuid: string, state: RolloutRecord['state'], more: Partial<RolloutRecord> = {}): RolloutRecord =>
  ({ uuid, name: uuid, state, pauseReason: null, lastOpDate: 'Nov 5, 2026 1:02:03 AM', ...more }) as RolloutRecord
const news = (rollouts: RolloutRecord[], seen: Record<string, string>) =>
  rolloutNews(rollouts, seen, (time) => toDate(time))

test('a rollout that pauses or ends is news, once', () => {
  const paused = rollout('a', 'Paused', { pauseReason: 'Failures', reason: '1 of 2 hosts of wave 2 failed' })
  const rollouts = [paused, rollout('b', 'Running'), rollout('c', 'RollingBack'), rollout('d', 'Succeeded')]
  const found = news(rollouts, { a: 'Running', d: 'Running' })
  assert.deepEqual(
    found.map(({ rolloutUuid, state, pauseReason, reason }) => [rolloutUuid, state, pauseReason, reason]),
    [
      ['a', 'Paused', 'Failures', '1 of 2 hosts of wave 2 failed'],
      ['d', 'Succeeded', null, undefined],
    ],
  )
  assert.deepEqual(news(rollouts, seenAfter(rollouts, {})), [])
})

test('a second pause is news when the rollout continued in between', () => {
  const paused = rollout('a', 'Paused', { pauseReason: 'Promotion' })
  const seen = seenAfter([rollout('a', 'Running')], seenAfter([paused], {}))
  assert.equal(news([paused], seen).length, 1)
  const other = rollout('a', 'Paused', { pauseReason: 'Operator' })
  assert.equal(news([other], seenAfter([paused], {})).length, 1)
})

test('the states of the rollouts that changed last are remembered', () => {
  const before = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`old-${index}`, 'Running']))
  const after = seenAfter([rollout('a', 'Succeeded'), rollout('old-250', 'Failed')], before)
  assert.deepEqual(Object.entries(after).slice(0, 3), [
    ['a', 'Succeeded'],
    ['old-250', 'Failed'],
    ['old-0', 'Running'],
  ])
  assert.equal(Object.keys(after).length, 200)
})
