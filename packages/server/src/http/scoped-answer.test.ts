import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryChatAppEndpoint } from '@wharf/contract'
import { RowList } from '@wharf/database/row-list.ts'
import { uuidsInAnswer, withoutUuids } from './scoped-answer.ts'

test('uuids outside the scope are removed from lists in the rows of a page', () => {
  const page = { inventories: new RowList(['uuid', 'platformUuids'], [['a', ['inside', 'outside']]]), total: 1 }
  assert.deepEqual(uuidsInAnswer(queryChatAppEndpoint, page), ['inside', 'outside'])
  assert.deepEqual(withoutUuids(queryChatAppEndpoint, page, new Set(['outside'])), {
    inventories: [{ uuid: 'a', platformUuids: ['inside'] }],
    total: 1,
  })
})
