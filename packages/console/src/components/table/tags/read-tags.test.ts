import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wharf } from '@wharf/sdk'
import { readTags } from './read-tags.ts'

test('the tags of many records are read in conditions that the server accepts', async () => {
  const conditions: string[] = []
  const wharf = {
    call: async (_: unknown, { q: [condition = ''] }: { q: string[] }) => {
      conditions.push(condition)
      const uuids = condition.slice('resourceUuid?='.length).split(',')
      return { inventories: uuids.flatMap((resourceUuid) => ['red', 'blue'].map((tag) => ({ resourceUuid, tag }))) }
    },
  } as unknown as Pick<Wharf, 'call'>
  const uuids = Array.from({ length: 100 }, (_, index) => String(index).padStart(32, '0'))
  const tags = await readTags(wharf, uuids, new AbortController().signal)
  assert.equal(tags.size, 100)
  assert.deepEqual(tags.get(uuids[99] ?? ''), ['red', 'blue'])
  assert.equal(conditions.length, 2)
  for (const condition of conditions) assert.ok(condition.length <= 2048)
})
