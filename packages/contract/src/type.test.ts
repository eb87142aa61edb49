import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IsOptional, Type as TypeBox } from 'typebox'
import { isOptional, Type } from './type.ts'

/** The same schema from our types and from TypeBox. */
const schemaOf = (type: typeof Type) => {
  const fields = {
    name: type.String({ maxLength: 5, pattern: '^a' }),
    count: type.Optional(type.Integer({ minimum: 1 })),
    list: type.Optional(type.Array(type.Number(), { maxItems: 3 })),
    any: type.Unsafe<string>({ type: 'string', enum: ['a'] }),
    flag: type.Boolean({ description: 'yes' }),
  }
  const record = type.Object(fields, { title: 'Record', additionalProperties: false })
  const selection = type.Partial(record, { title: 'Record' })
  return { fields, record, selection, empty: type.Object({}) }
}

test('a schema equals the one of TypeBox', () => {
  assert.equal(JSON.stringify(schemaOf(Type)), JSON.stringify(schemaOf(TypeBox)))
})

test('a field is optional as in TypeBox, without a visible mark', () => {
  const [ours, theirs] = [schemaOf(Type), schemaOf(TypeBox)]
  for (const name of ['name', 'count', 'list', 'any', 'flag'] as const) {
    assert.equal(isOptional(ours.fields[name]), IsOptional(theirs.fields[name]), name)
    assert.ok(isOptional(ours.selection.properties[name]), name)
    assert.ok(!isOptional({ ...ours.fields[name] }), name)
  }
  assert.ok(!isOptional(undefined))
  assert.ok(!Object.keys(ours.fields.count).includes('~optional'))
})
