import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { compileJsonPath } from './json-path.ts'

const hosts = {
  items: [
    { name: 'web-1', status: 'Connected', availableCapacity: 10, labels: { 'in-use': true }, tags: ['a', 'b'] },
    { name: 'web-2', status: 'Disconnected', availableCapacity: 20, labels: {}, tags: [] },
    { name: 'db', status: 'Connected', availableCapacity: 30, labels: null },
  ],
}

for (const [template, expected] of [
  ['{.items[*].name}', 'web-1 web-2 db'],
  ['.items[*].name', 'web-1 web-2 db'],
  ['{$.items[0].name}', 'web-1'],
  ['{.items[-1].name}', 'db'],
  ['{.items[0:2].name}', 'web-1 web-2'],
  ['{.items[1:].name}', 'web-2 db'],
  [`{.items[0]['name']}`, 'web-1'],
  ['{.items[?(@.status=="Connected")].name}', 'web-1 db'],
  [`{.items[?(@.status!='Connected')].name}`, 'web-2'],
  ['{.items[?(@.availableCapacity>=20)].name}', 'web-2 db'],
  ['{.items[?(@.labels.in-use)].name}', 'web-1'],
  ['{.items[0].labels}', '{"in-use":true}'],
  ['{.items[0].tags[*]}', 'a b'],
  ['first: {.items[0].name}{"\\n"}all: {.items[*].name}', 'first: web-1\nall: web-1 web-2 db'],
  ['{.nothing.here}', ''],
  ['{.items[9].name}', ''],
  ['{.items.name}', ''],
  ['{.constructor}', ''],
] as const)
  test(`${template} selects ${JSON.stringify(expected)}`, () =>
    assert.equal(compileJsonPath(template)(hosts), `${expected}\n`))

for (const [template, message] of [
  ['', /requires a template/],
  ['{range .items[*]}{.name}{end}', /range is not supported/],
  ['{.items[*}', /cannot read \[\*/],
  ['{.items', /a brace is not closed/],
  ['{.items[?(name)]}', /cannot read the filter name/],
  ['{"\\q"}', /not a quoted text/],
] as const)
  test(`${template || 'an empty template'} is rejected`, () =>
    assert.throws(() => compileJsonPath(template), { name: 'UsageError', message }))
