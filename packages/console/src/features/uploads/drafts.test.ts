import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, isType } from './drafts.ts'

test('a file without a manifest is named after itself', async () => {
  const file = new File(['not an archive'], 'hello-1.0.0.tar.gz')
  assert.deepEqual(await draftOf(file), { file, name: 'hello-1.0.0', type: '' })
})

test('an empty file is a draft too', async () => {
  const file = new File([], 'empty.zip')
  assert.deepEqual(await draftOf(file), { file, name: 'empty', type: '' })
})

for (const type of ['demo', 'Migrate', 'a', '1.2', 'x_y-z.0'])
  test(`type ${type} is valid`, () => assert.ok(isType(type)))

for (const type of ['', '-a', '.a', '_a', 'a b', 'a/b', 'ü'])
  test(`type "${type}" is invalid`, () => assert.ok(!isType(type)))
