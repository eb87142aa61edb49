import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'
import fc from 'fast-check'
import { convert, readQueryString } from './query-string.ts'

const server = await TestServer.start({ after })
for (const name of ['a,b', 'plus+sign', 'two words', 'third']) await server.admin.post('/v1/tags', { params: { name } })

const read: { text: string; gives: Record<string, string[]> }[] = [
  { text: '', gives: {} },
  { text: '&&', gives: {} },
  { text: 'a=1&a=2', gives: { a: ['1', '2'] } },
  { text: 'a.0=1&a.1=2', gives: { a: ['1', '2'] } },
  { text: 'a.10=c&a.2=b&a.0=a', gives: { a: ['a', 'b', 'c'] } },
  { text: 'a=1,2', gives: { a: ['1,2'] } },
  { text: 'a=1+2%202', gives: { a: ['1 2 2'] } },
  { text: 'a=%2B', gives: { a: ['+'] } },
  { text: 'a', gives: { a: [''] } },
  { text: 'a=', gives: { a: [''] } },
  { text: '=a', gives: { '': ['a'] } },
  { text: 'a=b=c', gives: { a: ['b=c'] } },
  { text: '%61=%E4%B8%AD', gives: { a: ['中'] } },
  { text: 'a.b=1', gives: { 'a.b': ['1'] } },
  { text: 'a[]=1', gives: { 'a[]': ['1'] } },
  { text: '__proto__=1', gives: Object.fromEntries([['__proto__', ['1']]]) },
]

for (const { text, gives } of read)
  test(`reads ?${text}`, () => {
    assert.deepEqual(Object.fromEntries(readQueryString(text)), gives)
  })

test('a broken escape is refused', () => {
  for (const text of ['a=%', 'a=%zz', '%E4%B8=1', 'a=%ED%A0%80'])
    assert.throws(() => readQueryString(text), { code: 'SYS.1007', message: /% escape/ }, text)
})

test('whatever a browser writes is read back', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => text !== '' && !/^\w+\.\d{1,4}$/.test(text))
  fc.assert(
    fc.property(fc.array(fc.tuple(word, fc.string({ unit: 'grapheme' }))), (pairs) => {
      const expected = new Map<string, string[]>()
      for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value])
      assert.deepEqual(readQueryString(new URLSearchParams(pairs).toString()), expected)
    }),
  )
})

const integer = { type: 'integer' }
const boolean = { type: 'boolean' }

test('numbers and booleans are read only where they are plain', () => {
  assert.equal(convert('n', ['10'], integer), 10)
  assert.equal(convert('n', ['-1'], integer), -1)
  for (const text of ['0x10', '1e3', ' 5', '5 ', '5.0', '', 'ten', '1_000', '٣', '12345678901234567', '+5', 'Infinity'])
    assert.throws(() => convert('n', [text], integer), { code: 'SYS.1007', message: /^n must be a whole number/ }, text)
  for (const text of ['true', 'TRUE', 'True']) assert.equal(convert('b', [text], boolean), true)
  for (const text of ['false', 'FALSE', 'falsE']) assert.equal(convert('b', [text], boolean), false)
  for (const text of ['1', '0', 'yes', '', ' true'])
    assert.throws(() => convert('b', [text], boolean), { code: 'SYS.1007' }, text)
})

test('a single value may be repeated, but must not differ', () => {
  assert.equal(convert('n', ['5', '5'], integer), 5)
  assert.throws(() => convert('n', ['5', '6'], integer), { message: /n may be given only once/ })
  assert.deepEqual(convert('n', ['5', '6'], { type: 'array', items: integer }), [5, 6])
})

const names = async (query: string): Promise<string[]> => {
  const { body, text } = await server.admin.get(`/v1/tags?fields=name&sort=name&${query}`)
  assert.ok(Array.isArray(body.inventories), text)
  return (body.inventories as { name: string }[]).map(({ name }) => name)
}

const found: { query: string; gives: string[] }[] = [
  { query: 'q=name=a,b', gives: ['a,b'] },
  { query: 'q=name=plus%2Bsign', gives: ['plus+sign'] },
  { query: 'q=name=two+words', gives: ['two words'] },
  { query: 'q=name=two%20words', gives: ['two words'] },
  { query: 'q=name~=t%25&q=name!=third', gives: ['two words'] },
  { query: 'q.0=name~=t%25&q.1=name!=third', gives: ['two words'] },
  { query: 'limit=1', gives: ['a,b'] },
  { query: 'limit.0=1', gives: ['a,b'] },
  { query: 'start=2&limit=1', gives: ['third'] },
  { query: 'sessionId=x&timeout=1&limit=1', gives: ['a,b'] },
]

for (const { query, gives } of found)
  test(`finds by ?${query}`, async () => {
    assert.deepEqual(await names(query), gives)
  })

test('a leading blank in sort is a plus', async () => {
  const inOrder = ['a,b', 'plus+sign', 'third', 'two words']
  for (const sort of ['name', '+name', '%2Bname', '%20name']) {
    const { body } = await server.admin.get(`/v1/tags?sort=${sort}&fields=name`)
    assert.deepEqual(
      (body.inventories as { name: string }[]).map(({ name }) => name),
      inOrder,
      sort,
    )
  }
})

test('with fields only those are sent, with count only the total', async () => {
  const some = await server.admin.get('/v1/tags?fields=name,color&fields=uuid&limit=1')
  assert.deepEqual(Object.keys(some.body), ['inventories', 'success', 'error'])
  assert.deepEqual(Object.keys((some.body.inventories as object[])[0] ?? {}).toSorted(), ['color', 'name', 'uuid'])
  const counted = await server.admin.get('/v1/tags?count=TRUE')
  assert.deepEqual(counted.body, { total: 4, success: true, error: null })
  const both = await server.admin.get('/v1/tags?replyWithCount=true&limit=2&fields=name')
  assert.deepEqual(Object.keys(both.body), ['inventories', 'total', 'success', 'error'])
  assert.equal((both.body.inventories as object[]).length, 2)
  assert.equal(both.body.total, 4)
  const [{ uuid = '' } = {}] = some.body.inventories as { uuid?: string }[]
  const one = await server.admin.get(`/v1/tags/${uuid}?fields=name`)
  assert.deepEqual(one.body.inventories, [{ name: 'a,b' }])
})

const refused: { query: string; code?: string; details: string }[] = [
  { query: 'limit=0x10', details: 'limit must be a whole number' },
  { query: 'limit=0', details: 'limit must be at least 1' },
  { query: 'limit=10001', details: 'limit must be at most 10000' },
  { query: 'start=-1', details: 'start must be at least 0' },
  { query: 'start=9999999999999999', details: 'start must be at most' },
  { query: 'limit=1&limit=2', details: 'limit may be given only once' },
  { query: 'count=1', details: 'count must be true or false' },
  { query: 'nonsense=1', details: 'unknown field "nonsense"' },
  { query: '__proto__=1', details: 'unknown field "__proto__"' },
  { query: 'constructor=1', details: 'unknown field "constructor"' },
  { query: 'toString', details: 'unknown field "toString"' },
  { query: 'params.name=x', details: 'unknown field "params.name"' },
  { query: 'q[]=name=x', details: 'unknown field "q[]"' },
  { query: 'accountType=x', details: 'unknown field "accountType"' },
  { query: 'uuid=x', details: 'unknown field "uuid"' },
  { query: 'sort=%', details: 'broken % escape' },
  { query: 'q=name=a%00', details: 'control characters' },
  { query: 'q=name=a%C2%85', details: 'control characters' },
  { query: 'sort=nonsense', details: 'nonsense' },
  { query: 'fields=nonsense', details: 'nonsense' },
  { query: `q=${'x'.repeat(2049)}`, details: 'at most 2048 characters' },
  { query: Array.from({ length: 33 }, () => 'q=name=x').join('&'), details: 'q must have at most 32 items' },
  { query: 'filterName=x', code: 'SYS.1014', details: 'filterName' },
  { query: 'groupBy=name', code: 'SYS.1014', details: 'groupBy' },
]

for (const { query, code = 'SYS.1007', details } of refused)
  test(`refuses ?${query.slice(0, 40)}`, async () => {
    assertFailure(await server.admin.get(`/v1/tags?${query}`), { status: 400, code, details })
  })

test('a path variable may be repeated with the same value', async () => {
  const uuid = 'a'.repeat(32)
  assertFailure(await server.admin.get(`/v1/tags/${uuid}?uuid=${uuid}`), { status: 404, code: 'SYS.1003' })
  const other = await server.admin.get(`/v1/tags/${uuid}?uuid=${'b'.repeat(32)}`)
  assertFailure(other, { status: 400, code: 'SYS.1007', details: 'uuid differs from the one in the path' })
})

test('fields of a POST or PUT are rejected in the query, and nothing is created', async () => {
  const before = (await names('')).length
  const answer = await server.admin.post('/v1/tags?name=x', { params: { name: 'new' } })
  assertFailure(answer, { status: 400, code: 'SYS.1007', details: 'the query has an unknown field "name"' })
  assert.equal((await names('')).length, before)
  const ignored = await server.admin.post('/v1/tags?sessionId=1&requestIp=2&pollingInterval=3', {
    params: { name: 'new' },
  })
  assert.equal(ignored.status, 200, ignored.text)
})
