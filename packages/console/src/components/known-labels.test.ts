import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownLabels } from './known-labels.ts'

test('the labels of hosts have their values, those of the filter are known without', () => {
  const hosts = [{ labels: { zone: 'b', role: 'web' } }, { labels: { zone: 'a' } }, {}]
  assert.deepEqual(
    [...knownLabels(hosts, ['labels.rack is null', 'labels.team/a-b?=x,y', 'labels.zone=a', 'name=labels.x'])],
    [
      ['rack', []],
      ['role', ['web']],
      ['team/a-b', []],
      ['zone', ['a', 'b']],
    ],
  )
})
