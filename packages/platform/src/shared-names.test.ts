import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oncePerNames, sharedNames } from './shared-names.ts'

test('code is generated once for equal names, and again after many others', () => {
  let generated = 0
  const numberOf = oncePerNames(() => ++generated)
  const read = (...names: string[]) => numberOf(sharedNames(names))
  assert.deepEqual([read('a', 'b'), read('a', 'b'), read('b', 'a'), read('a,b')], [1, 1, 2, 3])
  for (let more = 0; more < 1000; more++) sharedNames([`column ${more}`])
  assert.equal(read('a', 'b'), 4)
})
