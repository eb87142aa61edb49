import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowList } from './row-list.ts'

test('rows are objects only where they are requested, and in JSON', () => {
  const rows = new RowList(
    ['uuid', 'isOn', 'remark'],
    [
      ['a', true, null],
      ['b', false, 'x'],
    ],
  )
  const objects = [
    { uuid: 'a', isOn: true, remark: null },
    { uuid: 'b', isOn: false, remark: 'x' },
  ]
  assert.deepEqual(
    [rows.length, rows.objects(), JSON.stringify({ rows })],
    [2, objects, JSON.stringify({ rows: objects })],
  )
  assert.deepEqual(new RowList([], []).objects(), [])
})
