import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { fileKey, readFileKey } from './file-key.ts'

const file = fc.record({ name: fc.string({ unit: anyCharacter }), size: fc.nat(), lastModified: fc.nat() })

test('a key is valid for the server, and contains the size and the date of the file', () => {
  fc.assert(
    fc.property(file, (one) => {
      const key = fileKey(one)
      assert.match(key, /^[\x20-\x7e]{1,128}$/)
      assert.deepEqual(readFileKey(key), { size: one.size, lastModified: one.lastModified })
    }),
  )
})

test('another name, size or date is another file', () => {
  const one = { name: 'hello.tar.gz', size: 10, lastModified: 20 }
  const others = [{ name: 'hello.tgz' }, { size: 11 }, { lastModified: 21 }]
  for (const other of others) assert.notEqual(fileKey({ ...one, ...other }), fileKey(one))
})

test('a key that was not created by the console is ignored', () => {
  for (const key of ['', 'page-1-2', 'my own key', 'a'.repeat(64)]) assert.equal(readFileKey(key), undefined)
})
