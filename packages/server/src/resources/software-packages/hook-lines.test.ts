import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { LastLines, readHookLine } from './hook-lines.ts'

for (const [line, expected] of [
  ['::progress 40 unpacking', { kind: 'progress', percent: 40, text: 'unpacking' }],
  ['::progress 100', { kind: 'progress', percent: 100, text: '' }],
  ['::progress 250 too far', { kind: 'progress', percent: 100, text: 'too far' }],
  ['::progress x', { kind: 'log' }],
  [' ::progress 4', { kind: 'log' }],
  ['hello', { kind: 'log' }],
  ['::result {"token":"t"}', { kind: 'result', value: { token: 't' } }],
] as const)
  test(`reads ${line}`, () => assert.deepEqual(readHookLine(line), expected))

for (const line of ['::result', '::result []', '::result 5', '::result {', `::result {"a":"${'x'.repeat(70_000)}"}`])
  test(`refuses ${line.slice(0, 20)}`, () => {
    assert.throws(() => readHookLine(line), { code: 'SoftwarePackage.1300' })
  })

test('keeps the last lines only', () => {
  const lines = new LastLines({ keep: 2 })
  for (const line of ['a', 'b', 'c']) lines.add(line)
  assert.equal(String(lines), 'b\nc')
})
