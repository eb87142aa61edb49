import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

const rows: readonly (readonly [text: string, cell: string])[] = [
  ['web-1', 'web-1'],
  ['a,b', '"a,b"'],
  ['a "no"', '"a ""no"""'],
  ['two\nlines', '"two\nlines"'],
  [' padded ', '" padded "'],
  ['', ''],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1+2', "'-1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  // numbers stay numbers
  ['-12.5', '-12.5'],
  ['42', '42'],
]
for (const [text, cell] of rows)
  test(`${JSON.stringify(text)} is written as ${JSON.stringify(cell)}`, () =>
    assert.equal(csvLine([text]), `${cell}\r\n`))

test('cells are separated by commas', () => assert.equal(csvLine(['a', 'b', 'c']), 'a,b,c\r\n'))
