import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesBefore, linesBeyond } from './failure-lines.ts'

const rows: [firstLine: number | null, last: number | undefined, part: ReturnType<typeof linesBefore>][] = [
  [31, undefined, { after: 20, limit: 10 }],
  [5, undefined, { after: 0, limit: 4 }],
  [1, undefined, undefined],
  [null, 100, { after: 90, limit: 10 }],
  [null, 0, undefined],
  [null, undefined, undefined],
]

for (const [firstLine, last, part] of rows)
  test(`a failure at line ${firstLine} of ${last} shows ${JSON.stringify(part)}`, () =>
    assert.deepEqual(linesBefore(firstLine, last), part))

test('lines that the failure already contains are not shown twice', () => {
  const failure = 'install ended with exit code 3: probe ok\n  port in use\nstopped'
  assert.deepEqual(linesBeyond(failure, ['step run', 'probe ok', 'port in use', 'stopped']), [])
  assert.deepEqual(linesBeyond(failure, ['unpacking', 'probe ok', 'port in use']), ['unpacking'])
})

test('the line of the failure itself, at the end of an older log, is not shown twice', () => {
  assert.deepEqual(linesBeyond('no space left', ['unpacking', 'failed: SYS.1016 no space left']), ['unpacking'])
  assert.deepEqual(linesBeyond('no space left', ['failed: retrying']), ['failed: retrying'])
})

test('a log with nothing but steps shows nothing', () => {
  assert.deepEqual(linesBeyond('no route to host', ['step pin', 'step connect', '']), [])
  assert.deepEqual(linesBeyond('no route to host', ['step pin', 'trying 10.0.0.7']), ['step pin', 'trying 10.0.0.7'])
})
