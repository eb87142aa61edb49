import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portableLikePattern } from './bindings.ts'

const rows: [pattern: string, portable: string][] = [
  ['', ''],
  ['web%_', 'web%_'],
  [String.raw`\%\_\\`, String.raw`\%\_\\`],
  [String.raw`\a\b`, 'ab'],
  [String.raw`a\😀b`, 'a😀b'],
  ['\\', '\\\\'],
  ['a\\', 'a\\\\'],
  ['\\\\\\', '\\\\\\\\'],
  [String.raw`\\%`, String.raw`\\%`],
  [String.raw`\x\%\y`, String.raw`x\%y`],
]

for (const [pattern, portable] of rows)
  test(`${JSON.stringify(pattern)} is ${JSON.stringify(portable)} on both engines`, () =>
    assert.equal(portableLikePattern(pattern), portable))
