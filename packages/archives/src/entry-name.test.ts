import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryParts } from './entry-name.ts'

const accepted: [name: string, parts: string[]][] = [
  ['a', ['a']],
  ['a/b', ['a', 'b']],
  ['a/', ['a']],
  ['./a//b/./c/', ['a', 'b', 'c']],
  ['.', []],
  ['./', []],
  ['...', ['...']],
  ['..a/a..', ['..a', 'a..']],
  ['．．/x', ['．．', 'x']],
  ['C:\\x', ['C:\\x']],
  ['~/x', ['~', 'x']],
  ['-rf', ['-rf']],
  ['a\nb', ['a\nb']],
  ['%2e%2e/x', ['%2e%2e', 'x']],
  [`${'a/'.repeat(63)}a`, Array.from({ length: 64 }, () => 'a')],
  ['b'.repeat(255), ['b'.repeat(255)]],
]

for (const [name, parts] of accepted) {
  test(`${JSON.stringify(name.slice(0, 20))} stays inside`, () => assert.deepEqual(entryParts(name), parts))
}

const refused: [name: string, error: RegExp][] = [
  ['', /no name/],
  ['/', /absolute/],
  ['/a', /absolute/],
  ['//a', /absolute/],
  ['..', /"\.\."/],
  ['../a', /"\.\."/],
  ['a/..', /"\.\."/],
  ['a/../b', /"\.\."/],
  ['./../a', /"\.\."/],
  ['a\0', /NUL/],
  ['a/'.repeat(65), /deeper/],
  ['é'.repeat(128), /255/],
  ['ab/'.repeat(342), /1024/],
]

for (const [name, error] of refused) {
  test(`${JSON.stringify(name.slice(0, 20))} is refused`, () => {
    assert.throws(() => entryParts(name), { code: 'SoftwarePackage.1132', message: error })
  })
}

test('a refusal contains no control characters', () => {
  assert.throws(
    () => entryParts(`/\u001b[31m\u202e${'x'.repeat(500)}`),
    (error: Error) => {
      assert.doesNotMatch(error.message, /[\u001b\u202e]/)
      return error.message.length < 250
    },
  )
})
