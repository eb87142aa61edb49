import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createAccessKey,
  createRollout,
  List,
  Long,
  Name,
  operation,
  optional,
  orNull,
  Timestamp,
  Uuid,
} from '@wharf/contract'
import { RowList } from '@wharf/database/row-list.ts'
import fc from 'fast-check'
import { Type } from 'typebox'
import { responseMapper, withoutShownOnce } from './response-fields.ts'

const inner = Type.Object({ name: Name(), at: Timestamp(), note: orNull(Name()) })
const everyShape = operation({
  name: 'EveryShape',
  resource: 'demo',
  method: 'GET',
  path: '/v1/shapes',
  summary: 'An answer of every shape',
  since: 'wharf-1.0.0',
  permission: 'read',
  fields: {},
  answer: {
    uuid: Uuid(),
    size: Long(),
    at: Timestamp(),
    lastAt: orNull(Timestamp()),
    words: List(Name()),
    records: List(inner),
    one: inner,
    perhaps: orNull(inner),
    byName: Type.Record(Type.String(), inner),
    total: optional(Long()),
  },
})
const mapAnswer = responseMapper(everyShape, (ms) => `time ${ms}`)
const written = (answer: object) => JSON.parse(JSON.stringify(mapAnswer(answer)))
const record = { name: 'a', at: 1, note: null }
const whole = {
  uuid: 'u',
  size: 5,
  at: 2,
  lastAt: 3,
  words: ['w'],
  records: [record],
  one: record,
  perhaps: record,
  byName: { k: record },
}
const shown = { name: 'a', at: 'time 1', note: null }

test('times are formatted at any depth, and the envelope is added', () => {
  assert.deepEqual(written(whole), {
    ...whole,
    at: 'time 2',
    lastAt: 'time 3',
    records: [shown],
    one: shown,
    perhaps: shown,
    byName: { k: shown },
    success: true,
    error: null,
  })
})

test('an unknown value is null, but a list or a map is empty, and an optional field is omitted', () => {
  const answer = written({ uuid: 'u', one: { name: 'a' } })
  assert.deepEqual(answer, {
    uuid: 'u',
    size: null,
    at: null,
    lastAt: null,
    words: [],
    records: [],
    one: { name: 'a', at: null, note: null },
    perhaps: null,
    byName: {},
    success: true,
    error: null,
  })
  assert.equal(written({ ...whole, total: 0 }).total, 0)
})

test('the rows of a page become records like objects do, whatever columns they have and in whatever order', () => {
  const names = ['passwordHash', 'note', 'at', 'name']
  const rows = [
    ['canary', null, 1, 'a'],
    ['canary', 'n', null, 'b'],
  ]
  const mapped = (list: RowList) => written({ ...whole, records: list }).records
  assert.deepEqual(
    mapped(new RowList(names, rows)),
    written({ ...whole, records: new RowList(names, rows).objects() }).records,
  )
  assert.deepEqual(mapped(new RowList(names, rows)), [shown, { name: 'b', at: null, note: 'n' }])
  assert.deepEqual(mapped(new RowList(['name'], [['a']])), [{ name: 'a', at: null, note: null }])
  assert.deepEqual(mapped(new RowList(names, [])), [])
})

test('nothing undeclared is sent, at no depth', () => {
  const secret = { passwordHash: 'canary', sealedSecret: 'canary' }
  const answer = written({ ...whole, ...secret, one: { ...record, ...secret }, records: [{ ...record, ...secret }] })
  assert.deepEqual(answer, written(whole))
})

test('an amount is a number unless it is a percentage', () => {
  const mapped = responseMapper(createRollout, String)
  const shown = (maxFailures: string) => (mapped({ inventory: { maxFailures } }) as { inventory: object }).inventory
  assert.deepEqual(
    ['0', '12', '10%'].map((text) => (shown(text) as { maxFailures: unknown }).maxFailures),
    [0, 12, '10%'],
  )
})

test('an empty response is exactly {}', () => {
  const empty = responseMapper({ ...everyShape, answer: 'empty' }, String)
  assert.equal(JSON.stringify(empty(whole)), '{}')
})

test('whatever a handler returns, the keys of the response are the declared ones', () => {
  const required = ['uuid', 'size', 'at', 'lastAt', 'words', 'records', 'one', 'perhaps', 'byName', 'success', 'error']
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(whole), 'x', '__proto__', 'toString'), fc.constant(null)),
      (answer) => {
        const keys = Object.keys(written(answer))
        assert.deepEqual(keys.toSorted(), required.toSorted())
      },
    ),
  )
})

test('a field that is shown once is null in the stored response of a repeated call', () => {
  const inventory = { uuid: 'u', AccessKeyID: 'id', AccessKeySecret: 'canary', description: 'd' }
  assert.deepEqual(withoutShownOnce(createAccessKey, { inventory }), {
    inventory: { ...inventory, AccessKeySecret: null },
  })
  assert.equal(inventory.AccessKeySecret, 'canary', 'the first caller still sees it')
})
