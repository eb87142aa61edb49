import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import fc from 'fast-check'
import { coloursFor } from './output/colours.ts'
import { createProgress } from './output/create-progress.ts'
import { loadFormat, tableFormat } from './output/format.ts'
import { formatAge, formatBytes, formatDuration } from './output/format-quantities.ts'
import { Output } from './output/output.ts'
import { printable, printableJson } from './output/printable.ts'
import { tableText } from './output/table.ts'
import { shortened, widthOf } from './output/text-width.ts'

const unchanged = (text: string): string => text
const style = (columns?: number) => ({ columns, title: unchanged, cell: unchanged })

function screen(columns?: number) {
  const written: string[] = []
  return {
    written,
    isTTY: columns !== undefined,
    columns,
    rows: columns && 24,
    write: (text: string) => void written.push(text),
  }
}

test('a table fits the terminal for any content', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 60 }).map(printable)
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 200 }),
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }),
      (columns, rows) => {
        for (const line of tableText(['NAME', 'STATE', 'UUID'], rows, style(columns)).split('\n'))
          assert.ok(widthOf(line) <= columns, `${widthOf(line)} > ${columns}: ${line}`)
      },
    ),
  )
})

test('uuids are shortened last', () => {
  const uuid = '0123456789abcdef0123456789abcdef'
  const text = tableText(['NAME', 'UUID'], [['a name that is rather long indeed', uuid]], style(50))
  assert.match(text, /a name that is …/)
  assert.ok(text.includes(uuid))
})

test('columns that do not fit are omitted from the right', () => {
  const row = ['web-1', '10.0.0.1', 'Enabled', '0123456789abcdef0123456789abcdef']
  const text = tableText(['NAME', 'ADDRESS', 'STATE', 'UUID'], [row], style(40))
  assert.equal(text, 'NAME   ADDRESS   STATE\nweb-1  10.0.0.1  Enabled\n')
})

test('nothing is shortened without a terminal', () => {
  const long = 'x'.repeat(500)
  assert.ok(tableText(['NAME'], [[long]], style()).includes(long))
})

test('computes the width of a text in terminal columns', () => {
  for (const [text, width] of [
    ['web-1', 5],
    ['存储', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['', 0],
  ] as const)
    assert.equal(widthOf(text), width, text)
  assert.equal(shortened('存储集群', 5), '存储…')
})

test('control characters are escaped', async () => {
  assert.equal(printable('a\u001b[2Jb\u0007\r\n\u202e'), 'a\\u001b[2Jb\\u0007\\u000d\\u000a\\u202e')
  const out = screen()
  new Output(out, tableFormat, coloursFor(out, {})).record({ name: '\u001b]0;owned\u0007' })
  const record = { name: 'a\u001b\u007f\u009b31m\u202eb' }
  for (const name of ['json', 'ndjson', 'yaml', 'wide']) {
    const data = new Output(out, await loadFormat(name), coloursFor(out, {}))
    data.record(record)
    data.list([record], ['name'])
    data.item(record, '')
    assert.deepEqual(JSON.parse(printableJson(record)), record)
  }
  assert.doesNotMatch(out.written.join(''), /(?!\n)[\p{Cc}\u202a-\u202e]/u)
})

test('further lines of a text are indented', () => {
  const out = screen()
  new Output(out, tableFormat, coloursFor(out, {})).record({ id: 1, template: 'one\ntwo \u0007\n' })
  assert.equal(out.written.join(''), 'id        1\ntemplate  one\n          two \\u0007\n')
})

test('colours are for terminals and obey NO_COLOR', () => {
  const rows: [number | undefined, Record<string, string>, boolean][] = [
    [80, {}, true],
    [80, { NO_COLOR: '1' }, false],
    [80, { NO_COLOR: '' }, true],
    [80, { TERM: 'dumb' }, false],
    [undefined, {}, false],
  ]
  for (const [columns, env, isColoured] of rows) {
    const out = screen(columns)
    new Output(out, tableFormat, coloursFor(out, env)).list([{ state: 'Enabled' }], ['state'])
    assert.equal(out.written.join('').includes('\u001b['), isColoured, JSON.stringify({ columns, env }))
  }
})

const printed = async (format: string, show: (out: Output) => void, columns?: number): Promise<string> => {
  const out = screen(columns)
  show(new Output(out, await loadFormat(format), coloursFor(out, { NO_COLOR: '1' })))
  return out.written.join('')
}

const rows = [
  { uuid: 'u1', name: 'a', size: 2048, note: 'yes' },
  { uuid: 'u2', name: 'b', size: null, note: null },
]
const layout = { columns: ['name', 'size'], wide: ['note'] }

for (const [format, list, record] of [
  ['table', 'NAME  SIZE\na     2.0 KiB\nb     -\n', 'uuid  u1\nname  a\nsize  2.0 KiB\nnote  yes\n'],
  [
    'wide',
    'NAME  SIZE     NOTE\na     2.0 KiB  yes\nb     -        -\n',
    'uuid  u1\nname  a\nsize  2.0 KiB\nnote  yes\n',
  ],
  ['json', `${JSON.stringify(rows, null, 2)}\n`, `${JSON.stringify(rows[0], null, 2)}\n`],
  ['ndjson', rows.map((row) => `${JSON.stringify(row)}\n`).join(''), `${JSON.stringify(rows[0])}\n`],
  [
    'yaml',
    '- uuid: u1\n  name: a\n  size: 2048\n  note: "yes"\n- uuid: u2\n  name: b\n  size: null\n  note: null\n',
    'uuid: u1\nname: a\nsize: 2048\nnote: "yes"\n',
  ],
  ['name', 'a\nb\n', 'a\n'],
  ['jsonpath={.items[*].name}', 'a b\n', '\n'],
  ['jsonpath={.name}', '\n', 'a\n'],
] as const)
  test(`prints -o ${format}`, async () => {
    assert.equal(await printed(format, (out) => out.list(rows, layout)), list)
    assert.equal(await printed(format, (out) => out.record(rows[0] ?? {})), record)
  })

for (const [format, empty] of [
  ['table', ''],
  ['json', '[]\n'],
  ['yaml', '[]\n'],
  ['name', ''],
] as const)
  test(`prints an empty list with -o ${format}`, async () =>
    assert.equal(await printed(format, (out) => out.list([], layout)), empty))

test('-o name prints the given field, else the uuid', async () => {
  assert.equal(await printed('name', (out) => out.list(rows, { ...layout, nameField: 'uuid' })), 'u1\nu2\n')
  assert.equal(await printed('name', (out) => out.record({ uuid: 'u3' })), 'u3\n')
})

test('a stream in YAML has a document per item', async () =>
  assert.equal(
    await printed('yaml', (out) => {
      out.item({ line: 1 }, '')
      out.item({ line: 2 }, '')
    }),
    '---\nline: 1\n---\nline: 2\n',
  ))

test('a wide table is not cut', async () => {
  const long = [{ name: 'x'.repeat(100) }]
  assert.ok((await printed('wide', (out) => out.list(long, ['name']), 40)).includes('x'.repeat(100)))
  assert.ok(!(await printed('table', (out) => out.list(long, ['name']), 40)).includes('x'.repeat(50)))
})

test('names and selected values are exact in a pipe and safe on a terminal', async () => {
  const record = { name: 'a\u001b[2Jb' }
  for (const format of ['name', 'jsonpath={.name}']) {
    assert.equal(await printed(format, (out) => out.record(record)), 'a\u001b[2Jb\n')
    assert.equal(await printed(format, (out) => out.record(record), 80), 'a\\u001b[2Jb\n')
  }
})

test('YAML reads back as the same values', async () => {
  const { parse } = await import('yaml')
  const record = { a: 'x\u009b\u202e\u2028', '\u001b': 'no', b: 'line\nline', c: ['1e3', null, true, {}], d: '' }
  assert.deepEqual(parse(await printed('yaml', (out) => out.record(record))), record)
})

test('an unknown format is rejected', async () =>
  assert.rejects(loadFormat('xml'), { name: 'UsageError', message: /invalid -o xml: use table, wide, json/ }))

test('formats quantities', () => {
  assert.deepEqual([-1, 0, 59.9, 60, 7200, 86_399, 86_400 * 12].map(formatAge), [
    '0s',
    '0s',
    '59s',
    '1m',
    '2h',
    '23h',
    '12d',
  ])
  assert.deepEqual([0, 1023, 1024, 1536 * 1024 ** 2, 2 ** 60].map(formatBytes), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 GiB',
    '1024.0 PiB',
  ])
  assert.deepEqual([0, 42, 62, 3723].map(formatDuration), ['0:00', '0:42', '1:02', '1:02:03'])
})

test('without a terminal, progress is a line per ten percent', () => {
  const log = screen()
  let now = 0
  const progress = createProgress(log, { label: 'file', unicode: true, now: () => now })
  for (let done = 0; done <= 1000; done++, now += 10)
    progress.update({ fraction: done / 1000, doneBytes: done * 1024, totalBytes: 1000 * 1024 })
  progress.end()
  assert.equal(log.written.length, 10)
  assert.equal(log.written[4], 'file: 50% of 1000.0 KiB, 100.0 KiB/s, 0:05 left\n')
})

test('on a terminal, progress is one line that fits and is removed', () => {
  const terminal = screen(60)
  let now = 0
  const progress = createProgress(terminal, { label: 'file', unicode: false, now: () => now })
  for (let done = 0; done <= 100; done++, now += 100)
    progress.update({
      fraction: done / 100,
      doneBytes: done * 2 ** 20,
      totalBytes: 100 * 2 ** 20,
      step: 'a step with a long name',
    })
  progress.print('something')
  progress.end()
  const drawn = terminal.written.join('')
  assert.match(drawn, /\[#{12}-{12}\] {3}50%/)
  for (const line of drawn.split(/\r\u001b\[K|\n/)) assert.ok(widthOf(line) < 60, line)
  assert.equal(terminal.written.at(-1), '\r\u001b[K')
})
