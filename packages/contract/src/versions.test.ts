import assert from 'node:assert/strict'
import { test } from 'node:test'
import { olderFirst } from './versions.ts'

test('versions are ordered by their numbers, those of the interface before our own', () => {
  const ordered = ['0.6', '3.6.0', '3.10', '4.2.0', '4.10', '4.10.6', '4.10.20', '5.0.0', 'wharf-1.0.0', 'wharf-1.10.0']
  assert.deepEqual(ordered.toReversed().toSorted(olderFirst), ordered)
})
