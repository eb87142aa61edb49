import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import fc from 'fast-check'
import { type Operator, parseCondition } from './parse-condition.ts'

const rows: [text: string, field: string, operator: Operator, value: string][] = [
  ['name=web', 'name', '=', 'web'],
  ['name!=web', 'name', '!=', 'web'],
  ['size>1', 'size', '>', '1'],
  ['size>=1', 'size', '>=', '1'],
  ['size<1', 'size', '<', '1'],
  ['size<=1', 'size', '<=', '1'],
  ['state?=Enabled,Disabled', 'state', '?=', 'Enabled,Disabled'],
  ['state!?=Enabled', 'state', '!?=', 'Enabled'],
  ['name~=web%', 'name', '~=', 'web%'],
  ['name!~=web%', 'name', '!~=', 'web%'],
  ['sn is null', 'sn', ' is null', ''],
  ['sn not null', 'sn', ' not null', ''],
  ['sn is not null', 'sn', ' not null', ''],
  // the value is all that follows, spaces and operators too
  ['name=', 'name', '=', ''],
  ['name= a ', 'name', '=', ' a '],
  ['name==', 'name', '=', '='],
  ['name=a!=b', 'name', '=', 'a!=b'],
  ['name=>1', 'name', '=', '>1'],
  ['name>==', 'name', '>=', '='],
  ['name=sn is null', 'name', '=', 'sn is null'],
  ['name~=!~=', 'name', '~=', '!~='],
  // the field is trimmed
  [' name = a', 'name', '=', ' a'],
  ['sn  is null', 'sn', ' is null', ''],
  // a null test counts at the end only, and a lone mark is not an operator
  ['sn is null=1', 'sn is null', '=', '1'],
  ['sn is nullable<1', 'sn is nullable', '<', '1'],
  ['a!b?c~d=1', 'a!b?c~d', '=', '1'],
  ['a!?b=1', 'a!?b', '=', '1'],
  ['a!!=1', 'a!', '!=', '1'],
]

for (const [text, field, operator, value] of rows)
  test(`reads ${text}`, () => assert.deepEqual(parseCondition(text), { field, operator, value }))

for (const text of ['', 'name', '=1', ' is null', '  !=1', 'name is null ', 'name IS NULL', 'a!b?c~d', '!', 'a !'])
  test(`refuses ${JSON.stringify(text)}, naming q and the rule`, () => {
    assert.throws(
      () => parseCondition(text),
      (error) => error instanceof ApiError && error.code === 'SYS.1007' && /^q .*write a field/.test(error.message),
    )
  })

test('gives field and value back exactly as they were put together', () => {
  const operators: Operator[] = ['=', '!=', '>', '>=', '<', '<=', '?=', '!?=', '~=', '!~=']
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z_]{1,12}$/),
      fc.constantFrom(...operators),
      fc.string({ unit: fc.constantFrom(...'a=!<>?~,%_ \\é😀', ' is null') }),
      (field, operator, value) => {
        // "a>" and "=b" put together read "a>=b"
        fc.pre(!((operator === '>' || operator === '<') && value.startsWith('=')))
        assert.deepEqual(parseCondition(field + operator + value), { field, operator, value })
      },
    ),
  )
})

test('never throws anything but a refusal', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'a =!<>?~', ' is null', ' not null') }), (text) => {
      try {
        const { field, operator, value } = parseCondition(text)
        assert.ok(text.trimStart().startsWith(field) && text.endsWith(operator + value))
      } catch (error) {
        assert.ok(error instanceof ApiError)
      }
    }),
  )
})
