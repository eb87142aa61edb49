import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toDate } from '../to-date.ts'
import { mergeNewest } from './newest-job.ts'

test('jobs of two queries are merged by their start, the newest first', () => {
  const at = (time: string) => ({ createDate: `Nov 5, 2026 ${time} AM` })
  const merged = mergeNewest([at('9:00:00'), at('2:00:00')], [at('10:00:00'), at('3:00:00')], toDate)
  assert.deepEqual(merged, [at('10:00:00'), at('9:00:00'), at('3:00:00'), at('2:00:00')])
})
