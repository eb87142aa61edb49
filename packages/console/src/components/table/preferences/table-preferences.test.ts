import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePreferences } from './table-preferences.ts'

const columns = [{ field: 'name' }, { field: 'status' }, { field: 'notes', isOptional: true }]

const defaults = {
  pageSize: 25,
  wrapLines: false,
  contentDensity: 'comfortable',
  contentDisplay: [
    { id: 'name', visible: true },
    { id: 'status', visible: true },
    { id: 'notes', visible: false },
  ],
  widths: {},
}

for (const stored of [undefined, null, 'x', 7, [], { pageSize: 33, widths: { name: 'wide', other: 3 } }])
  test(`${JSON.stringify(stored)} is read as the defaults`, () =>
    assert.deepEqual(parsePreferences(stored, columns), defaults))

test('stored preferences are kept', () => {
  const stored = {
    pageSize: 100,
    wrapLines: true,
    contentDensity: 'compact',
    contentDisplay: [
      { id: 'name', visible: true },
      { id: 'notes', visible: true },
      { id: 'status', visible: false },
    ],
    widths: { name: 320 },
  }
  assert.deepEqual(parsePreferences(stored, columns), stored)
})

test('a removed column is dropped, a new one is appended with its default', () => {
  const stored = {
    contentDisplay: [
      { id: 'gone', visible: true },
      { id: 'status', visible: false },
    ],
  }
  assert.deepEqual(parsePreferences(stored, columns).contentDisplay, [
    { id: 'name', visible: true },
    { id: 'status', visible: false },
    { id: 'notes', visible: false },
  ])
})

test('the first column is always shown first', () => {
  const stored = {
    contentDisplay: [
      { id: 'status', visible: true },
      { id: 'name', visible: false },
    ],
  }
  assert.deepEqual(parsePreferences(stored, columns).contentDisplay[0], { id: 'name', visible: true })
})
