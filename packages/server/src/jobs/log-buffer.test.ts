import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogBuffer, maxLineLength, maxLines, maxLogLength } from './log-buffer.ts'

const linesOf = (fill: (buffer: LogBuffer) => void, last = 0) => {
  const buffer = new LogBuffer(last)
  fill(buffer)
  return buffer.take().map(({ sequence, line }) => `${sequence} ${line}`)
}

const pem = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----\n'

const cases: { name: string; conceal?: string[]; log: string[]; want: string[] }[] = [
  { name: 'a text of several lines is several lines', log: ['a\nb\r\nc'], want: ['1 a', '2 b', '3 c'] },
  { name: 'an empty line is a line', log: [''], want: ['1 '] },
  { name: 'a tab stays', log: ['a\tb'], want: ['1 a\tb'] },
  {
    name: 'control characters are replaced',
    log: ['a\u0000b\u001b[2Jc\u009bd\u202e\u2066'],
    want: ['1 a\ufffdbc\ufffdd\ufffd\ufffd'],
  },
  {
    name: 'colours stay, and end with their line',
    log: ['\u001b[32mOK\u001b[0m\u001b[K \u001b]0;title\u0007done\n\u001b[31mred\nplain'],
    want: ['1 \u001b[32mOK\u001b[0m done', '2 \u001b[31mred\u001b[0m', '3 plain'],
  },
  {
    name: 'of a line that is overwritten, the last text stays',
    log: ['10 %\r50 %\r\u001b[32m100 %\u001b[0m', 'done\r', '\r', 'a\rb\r\nc'],
    want: ['1 \u001b[32m100 %\u001b[0m', '2 done', '3 ', '4 b', '5 c'],
  },
  {
    name: 'a secret with a carriage return is masked',
    conceal: ['hun\rter2'],
    log: ['is hun\rter2!'],
    want: ['1 is [secret]!'],
  },
  {
    name: 'a long line has no colours',
    log: [`\u001b[31m${'x'.repeat(maxLineLength)}`],
    want: [`1 ${'x'.repeat(maxLineLength)}`],
  },
  {
    name: 'a secret with colours inside is masked',
    conceal: ['hunter2'],
    log: ['hunter2 is hun\u001b[31mter\u001b[0m2\u001b[0m', '\u001b[31mhun\u001b[31mter2\u001b[0m\nx'],
    want: ['1 [secret] is [secret]', '2 [secret]', '3 x'],
  },
  {
    name: 'a secret with a control character is masked',
    conceal: ['hunter\u001b2'],
    log: ['is hunter\u001b2', '\u001b[31mis hunter\u001b2'],
    want: ['1 is [secret]', '2 is [secret]'],
  },
  { name: 'a long line is cut', log: ['x'.repeat(maxLineLength + 1)], want: [`1 ${'x'.repeat(maxLineLength)}…`] },
  {
    name: 'a line at the limit is not cut',
    log: ['x'.repeat(maxLineLength)],
    want: [`1 ${'x'.repeat(maxLineLength)}`],
  },
  {
    name: 'a secret is masked everywhere',
    conceal: ['hunter2'],
    log: ['hunter2=hunter2!'],
    want: ['1 [secret]=[secret]!'],
  },
  { name: 'an empty secret masks nothing', conceal: [''], log: ['abc'], want: ['1 abc'] },
  {
    name: 'the longer of two secrets is masked first',
    conceal: ['pass', 'password'],
    log: ['password pass'],
    want: ['1 [secret] [secret]'],
  },
  {
    name: 'a secret of several lines is masked as a whole',
    conceal: [pem],
    log: [`key:${pem}end`],
    want: ['1 key:[secret]end'],
  },
  {
    name: 'a secret of several lines is masked line by line',
    conceal: [pem],
    log: ['MIIEvQIBADANBg', '\n'],
    want: ['1 [secret]', '2 ', '3 '],
  },
  {
    name: 'a secret that the cut would split is masked',
    conceal: ['s3cr3t'],
    log: [`${'x'.repeat(maxLineLength - 3)}s3cr3t`],
    want: [`1 ${'x'.repeat(maxLineLength - 3)}[…`],
  },
  {
    name: 'the start of a secret at the end of a cut line is left out',
    conceal: ['s3cr3t'],
    log: [`${'x'.repeat(maxLineLength - 4)}s3cr`],
    want: [`1 ${'x'.repeat(maxLineLength - 7)}…`],
  },
  {
    name: 'the coloured start of a secret at the end of a cut line is left out',
    conceal: ['s3cr3t'],
    log: [`${'x'.repeat(maxLineLength - 12)}s3\u001b[31mcr`],
    want: [`1 ${'x'.repeat(maxLineLength - 15)}…`],
  },
  {
    name: 'a secret that is longer than a line is left out',
    conceal: ['s'.repeat(maxLineLength + 1)],
    log: ['s'.repeat(maxLineLength), 's'.repeat(maxLineLength - 3)],
    want: ['1 …', '2 …'],
  },
  { name: 'a mask is not masked again', conceal: ['hunter2', 'secret'], log: ['hunter2'], want: ['1 [secret]'] },
]

for (const { name, conceal = [], log, want } of cases)
  test(name, () => {
    const lines = linesOf((buffer) => {
      for (const secret of conceal) buffer.conceal(secret)
      for (const line of log) buffer.add(1, line)
    })
    assert.deepEqual(lines, want)
  })

test('line numbers continue those of an earlier owner', () => {
  assert.deepEqual(
    linesOf((buffer) => buffer.add(1, 'x'), 41),
    ['42 x'],
  )
})

test('a full log ends with one notice', () => {
  const lines = linesOf((buffer) => {
    for (let i = 0; i < 5; i++) buffer.add(1, 'more')
  }, maxLines - 2)
  assert.deepEqual(lines, [`${maxLines - 1} more`, `${maxLines} … the log is full`])
  assert.deepEqual(
    linesOf((buffer) => buffer.add(1, 'more'), maxLines),
    [],
  )
})

test('a full log still has how the job ended', () => {
  const lines = linesOf((buffer) => {
    for (let i = 0; i < 3; i++) buffer.add(1, 'more')
    buffer.add(1, 'failed: no\nspace', 'failure')
    buffer.add(1, 'more')
    buffer.add(1, 'undo run', 'undo')
  }, maxLines - 1)
  assert.deepEqual(
    lines.map((line) => line.slice(7)),
    ['… the log is full', 'failed: no', 'space', 'undo run'],
  )
})

test('the name of a step is not masked', () => {
  const buffer = new LogBuffer(0, ['run'])
  buffer.add(1, 'step run', 'step')
  buffer.add(1, 'run')
  assert.deepEqual(
    buffer.take().map(({ line, kind }) => [line, kind]),
    [
      ['step run', 'step'],
      ['[secret]', null],
    ],
  )
})

test('lines that could not be written are first in the next write', () => {
  const buffer = new LogBuffer(0)
  buffer.add(1, 'a')
  const taken = buffer.take()
  buffer.add(1, 'b')
  buffer.restore(taken)
  assert.deepEqual(
    buffer.take().map(({ line }) => line),
    ['a', 'b'],
  )
  assert.ok(buffer.isEmpty)
})

test('a log of long lines is limited by its length', () => {
  const buffer = new LogBuffer(0)
  const line = 'x'.repeat(maxLineLength)
  for (let i = 0; i < (2 * maxLogLength) / maxLineLength; i++) buffer.add(0, line)
  const lines = buffer.take()
  assert.equal(lines.length, maxLogLength / maxLineLength)
  assert.equal(lines.at(-1)?.line, '… the log is full')
})
