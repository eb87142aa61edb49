import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from './parse-csv.ts'
import { readHostList } from './read-host-list.ts'

const cells = (text: string): (readonly string[])[] => parseCsv(text).map((row) => row.cells)

for (const [text, expected] of [
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\ufeffa,b\n\n1,\n',
    [
      ['a', 'b'],
      ['1', ''],
    ],
  ],
  ['"a, ""b""","c\nd"\n', [['a, "b"', 'c\nd']]],
  ['a,', [['a', '']]],
  ['""\n', []],
  ['', []],
] as const)
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(cells(text), expected))

test('a row knows its line, also after values with line ends', () => {
  assert.deepEqual(
    parseCsv('a\n"1\n2"\n\nb\n').map(({ line }) => line),
    [1, 2, 5],
  )
})

for (const [text, problem] of [
  ['a\n"b', /^line 2: .*not closed/],
  ['a\nb"c', /^line 2: a quote inside a value/],
  ['"a"b', /^line 1: text after the closing quote/],
] as const)
  test(`refuses ${JSON.stringify(text)}`, () =>
    assert.throws(() => parseCsv(text), { name: 'CsvError', message: problem }))

test('hosts have the fields of AddHost, and labels from both kinds of columns', () => {
  const text = `name,address,user,port,labels,label.rack,description
web-1,10.0.0.1,ops,2222,zone=a; role=web ,7,"one, two"
web-2, 10.0.0.2,,,,,
`
  assert.deepEqual(readHostList(text), [
    {
      line: 2,
      name: 'web-1',
      address: '10.0.0.1',
      username: 'ops',
      sshPort: 2222,
      description: 'one, two',
      labels: { zone: 'a', role: 'web', rack: '7' },
    },
    { line: 3, name: 'web-2', address: '10.0.0.2', labels: {} },
  ])
})

for (const [name, text, problem] of [
  ['an empty file', '', /is empty/],
  ['a file without hosts', 'name,address\n', /no hosts/],
  ['a missing column', 'name,user\nweb,x', /^line 1: the column address is missing$/],
  ['an unknown column', 'name,address,Port\na,b,1', /^line 1: unknown column "Port"/],
  ['a column twice', 'name,address,user,username\na,b,c,d', /^line 1: the column username occurs twice$/],
  ['a label column', 'name,address,label.Zone\na,b,c', /unknown column "label.Zone"/],
  ['an empty name', 'name,address\n,10.0.0.1', /^line 2, column name: is empty$/],
  ['a port', 'name,address,port\na,b,70000', /^line 2, column port: "70000" is not a port/],
  ['a label', 'name,address,labels\na,b,Zone=a', /^line 2, column labels: "Zone" is not a label name/],
  ['a label without value', 'name,address,labels\na,b,zone', /^line 2, column labels: "zone" is not name=value/],
  ['too many values', 'name,address\na,b,c', /^line 2: 3 values for 2 columns$/],
  ['a name twice', 'name,address\na,b\na,c', /^line 3, column name: a is also on line 2$/],
  ['a quote', 'name,address\n"a,b', /^line 2: a value starts with a quote/],
] as const)
  test(`refuses ${name}`, () => assert.throws(() => readHostList(text), { name: 'HostListError', message: problem }))

test('names every wrong line, up to twenty', () => {
  const text = `name,address\n${',\n'.repeat(3)}${'x,\n'.repeat(30)}`
  assert.throws(() => readHostList(text), /column address: is empty[\s\S]*and 10 more problems$/)
})
