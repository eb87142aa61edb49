import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AccessKeyInventory,
  Flag,
  HostInventory,
  inventory,
  List,
  orNull,
  SoftwarePackageInventory,
  Uuid,
} from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import { testDatabase } from '@wharf/testkit'
import { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'
import { collection, type QueryInput } from './query.ts'

const hosts = collection(HostInventory)
const keys = collection(AccessKeyInventory)

const host = (uuid: string, more: object = {}) => ({
  uuid,
  name: `host ${uuid}`,
  driver: 'ssh' as const,
  address: '192.0.2.1',
  sshPort: 22,
  state: 'Enabled' as const,
  status: 'Connected' as const,
  totalCapacity: 100,
  availableCapacity: 50,
  isPackagesPathGiven: 0,
  labels: '{}',
  createDate: Date.UTC(2026, 10, 5, 1, 2, 3, 456),
  lastOpDate: 0,
  ...more,
})

async function withHosts(t: Parameters<typeof testDatabase>[0], ...more: [string, object?][]): Promise<Database> {
  const database = await testDatabase(t)
  await database.transaction((tx) =>
    tx
      .insertInto('hosts')
      .values(more.map(([uuid, rest]) => host(uuid, rest)))
      .execute(),
  )
  return database
}

async function uuids(database: Database, input: QueryInput, from = hosts): Promise<string> {
  const { inventories } = await from.query(database, input)
  return (inventories?.objects() ?? []).map((row) => row.uuid).join('')
}

const refusal = (text: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'SYS.1007' && text.test(error.message)

test('what cannot be queried is refused, naming what can', async (t) => {
  const database = await testDatabase(t)
  const rows: [QueryInput, RegExp, typeof hosts?][] = [
    [
      { q: ['nme=a'] },
      /^q: no field "nme"; these can be queried: uuid, name, .*lastOpDate, labels.<name>, __systemTag__, __userTag__$/,
    ],
    [{ q: ['__proto__=a'] }, /^q: no field "__proto__"/],
    [{ q: ['AccessKeySecret=a'] }, /^q: no field "AccessKeySecret".*: uuid, AccessKeyID, accountUuid/, keys],
    [{ q: ['AccessKeySecret is null'] }, /^q: no field/, keys],
    [
      { sort: '-AccessKeySecret' },
      /^sort: no field "AccessKeySecret"; these can be sorted by: uuid, AccessKeyID/,
      keys,
    ],
    [{ fields: ['uuid,AccessKeySecret'] }, /^fields: no field "AccessKeySecret"; these can be read: uuid/, keys],
    [{ fields: ['uuid', 'nme'] }, /^fields: no field "nme"/],
    [{ fields: [''] }, /^fields: no field ""/],
    [{ sort: '' }, /^sort: no field ""/],
    [{ sort: '+' }, /^sort: no field ""/],
    [{ sort: '__systemTag__' }, /^sort: no field/],
    [{ q: ['name'] }, /^q "name" has no operator/],
    [{ q: Array.from({ length: 33 }, () => 'name=a') }, /^q: at most 32 conditions$/],
    [{ q: ['sshPort=abc'] }, /^q sshPort: "abc" is not a whole number/],
    [{ q: ['sshPort=0x16'] }, /not a whole number/],
    [{ q: ['sshPort= 22'] }, /not a whole number/],
    [{ q: ['sshPort='] }, /not a whole number/],
    [{ q: ['sshPort?=1,,2'] }, /not a whole number/],
    [{ q: ['totalCapacity>9007199254740992'] }, /not a whole number/],
    [{ q: ['sshPort~=2%'] }, /^q sshPort: ~= is for text, and this is a number$/],
    [{ q: ['createDate!~=Nov%'] }, /^q createDate: ~= is for text, and this is a time$/],
    [{ q: ['createDate=yesterday'] }, /^q createDate: "yesterday" is not a time such as Nov 5, 2026 1:02:03 AM/],
    [{ q: ['createDate?=Nov 5, 2026 1:02:03 AM,'] }, /is not a time/],
    [{ q: ['name=a\0b'] }, /NUL/],
    [{ q: ['name~=a\0b'] }, /NUL/],
    [{ q: ['name?=a,\0'] }, /NUL/],
    [{ q: ['__userTag__>a'] }, /^q __userTag__: tags have no order/],
  ]
  for (const [input, text, from = hosts] of rows)
    await assert.rejects(from.query(database, input), refusal(text), JSON.stringify(input))
})

test('32 conditions with the longest lists are within the limits of the engines', async (t) => {
  const database = await withHosts(t, ['a'])
  const q = Array.from({ length: 32 }, () => `name?=${','.repeat(2000)},host a`)
  assert.equal(await uuids(database, { q }), 'a')
})

test('a time without a fraction is its whole second, with one the exact millisecond', async (t) => {
  const second = Date.UTC(2026, 10, 5, 1, 2, 3)
  const database = await withHosts(
    t,
    ...[-1, 0, 456, 999, 1000].map((ms, i): [string, object] => ['abcde'[i] ?? '', { createDate: second + ms }]),
  )
  const shown = 'Nov 5, 2026 1:02:03 AM'
  const rows: [string, string][] = [
    [`createDate=${shown}`, 'bcd'],
    [`createDate!=${shown}`, 'ae'],
    [`createDate>${shown}`, 'e'],
    [`createDate>=${shown}`, 'bcde'],
    [`createDate<${shown}`, 'a'],
    [`createDate<=${shown}`, 'abcd'],
    [`createDate?=${shown},2026-11-05 01:02:04`, 'bcde'],
    [`createDate?=2026-11-05 01:02:04,${shown}`, 'bcde'],
    [`createDate!?=${shown},2026-11-05 01:02:04`, 'a'],
    ['createDate=2026-11-05T01:02:03.456Z', 'c'],
    ['createDate>2026-11-05T01:02:03.456Z', 'de'],
    ['createDate=2026-11-05T09:02:03+08:00', 'bcd'],
  ]
  for (const [q, found] of rows) assert.equal(await uuids(database, { q: [q] }), found, q)
  const local = { q: ['createDate=Nov 5, 2026 9:02:03 AM'], timeZone: 'Asia/Shanghai' }
  assert.equal(await uuids(database, local), 'bcd')
})

test('tags are queried by whether a record has them', async (t) => {
  const database = await withHosts(t, ['a'], ['b'], ['c'])
  const tag = (uuid: string, resourceUuid: string, text: string) => ({
    uuid,
    resourceUuid,
    resourceType: 'Host',
    tag: text,
    createDate: 0,
    lastOpDate: 0,
  })
  await database.transaction(async (tx) => {
    const userTags = [tag('1', 'a', 'red'), tag('2', 'a', 'Blue'), tag('3', 'b', 'blue')]
    await tx.insertInto('userTags').values(userTags).execute()
    await tx
      .insertInto('systemTags')
      .values(tag('4', 'c', 'initConfig::{}'))
      .execute()
  })
  const rows: [string, string][] = [
    ['__userTag__=red', 'a'],
    ['__userTag__=blue', 'b'],
    ['__userTag__!=red', 'bc'],
    ['__userTag__?=red,blue', 'ab'],
    ['__userTag__!?=red,blue', 'c'],
    ['__userTag__~=BL%', 'ab'],
    ['__userTag__!~=bl%', 'c'],
    ['__userTag__ is null', 'c'],
    ['__userTag__ not null', 'ab'],
    ['__systemTag__~=initConfig::%', 'c'],
    ['__systemTag__ is null', 'ab'],
  ]
  for (const [q, found] of rows) assert.equal(await uuids(database, { q: [q] }), found, q)
  assert.equal(await uuids(database, { q: ['__userTag__~=%e%', 'name!=host a'] }), 'b')
})

test('a scope applies to every query, and to one record too', async (t) => {
  const database = await withHosts(
    t,
    ['a', { username: 'one' }],
    ['b', { username: 'two' }],
    ['c', { username: 'one' }],
  )
  const scope = { username: 'one' }
  assert.deepEqual((await hosts.query(database, { fields: ['uuid'], replyWithCount: true }, scope)).total, 2)
  assert.deepEqual(await hosts.query(database, { q: ['username=two'], count: true }, scope), { total: 0 })
  assert.deepEqual((await hosts.get(database, 'a', { fields: ['name'] }, scope)).lists, [['host a']])
  assert.equal((await hosts.get(database, 'b', {}, scope)).length, 0)
  assert.equal((await hosts.get(database, 'b', {}, { uuid: 'a' })).length, 0)
  assert.equal((await hosts.get(database, 'b\0')).length, 0)
})

test('a response has the declared fields, or the requested ones', async (t) => {
  const database = await withHosts(t, ['a'])
  const declared = Object.keys(HostInventory.schema.properties)
  assert.deepEqual((await hosts.get(database, 'a')).names, declared)
  const { inventories } = await hosts.query(database, { fields: ['status, name', 'uuid', 'name'] })
  assert.deepEqual(inventories?.objects(), [{ uuid: 'a', name: 'host a', status: 'Connected' }])
  assert.deepEqual((await hosts.get(database, 'a', { fields: ['sshPort'] })).objects(), [{ sshPort: 22 }])
  assert.deepEqual(await hosts.query(database, { count: true }), { total: 1 })
  const { inventories: rest, total } = await hosts.query(database, { replyWithCount: true, start: 1 })
  assert.deepEqual([rest?.lists, total], [[], 1])
})

test('fields without a column are null, lists are read from their text and not queried', async (t) => {
  const database = await withHosts(t, ['a'])
  const shape = inventory({
    name: 'Shape',
    since: 'wharf-1.0.0',
    events: [],
    table: 'hosts',
    scope: 'byRole',
    fields: { uuid: Uuid(), token: Uuid(), tagUuids: List(Uuid()) },
    computed: ['token', 'tagUuids'],
  })
  const shapes = collection(shape, { columns: { tagUuids: `'["x","y"]'` } })
  assert.deepEqual((await shapes.get(database, 'a')).objects(), [{ uuid: 'a', token: null, tagUuids: ['x', 'y'] }])
  for (const q of ['token=a', 'tagUuids=x'])
    await assert.rejects(shapes.query(database, { q: [q] }), refusal(/these can be queried: uuid, __systemTag__/))
})

test('flags are queried by true and false only', async (t) => {
  const database = await withHosts(t, ['a'])
  const shape = inventory({
    name: 'Shape',
    since: 'wharf-1.0.0',
    events: [],
    table: 'hosts',
    scope: 'byRole',
    fields: { uuid: Uuid(), on: Flag(), off: orNull(Flag()) },
  })
  const shapes = collection(shape, { columns: { on: '1', off: '0 * "totalCapacity"' } })
  assert.deepEqual((await shapes.get(database, 'a')).objects(), [{ uuid: 'a', on: true, off: false }])
  for (const q of ['on=TRUE', 'off=false', 'off!=true', 'on?=true,False', 'off!?=true', 'off not null'])
    assert.equal(await uuids(database, { q: [q] }, shapes), 'a', q)
  for (const q of ['on=1', 'on=', 'on= true', 'on?=true,', 'off=null'])
    await assert.rejects(shapes.query(database, { q: [q] }), refusal(/is neither true nor false$/), q)
  for (const q of ['on>false', 'on<=true', 'on>=true', 'on<true'])
    await assert.rejects(shapes.query(database, { q: [q] }), refusal(/is for what has an order, and this is true/), q)
  await assert.rejects(shapes.query(database, { q: ['on~=t%'] }), refusal(/~= is for text/))
})

test('without a limit at most 1000 records are returned', async (t) => {
  const all = Array.from({ length: 1001 }, (_, n): [string] => [String(n).padStart(4, '0')])
  const database = await withHosts(t, ...all)
  assert.equal((await hosts.query(database, {})).inventories?.length, 1000)
  assert.equal((await hosts.query(database, { limit: 10_000 })).inventories?.length, 1001)
})

/** The query plan of the engine; PostgreSQL uses an index for a few rows only when it must. */
async function planOf(database: Database, statement: { sql: string; values: unknown[] }): Promise<string> {
  const plan = await database.transaction(async (tx) => {
    const run = (sql: string, values: unknown[] = []) => tx.executeQuery(CompiledQuery.raw(sql, values))
    if (database.engine === 'sqlite') return run(`explain query plan ${statement.sql}`, statement.values)
    await run('set local enable_seqscan = off')
    await run('set local enable_bitmapscan = off')
    return run(`explain ${statement.sql}`, statement.values)
  })
  return JSON.stringify(plan.rows)
}

test('one index serves an order in both directions, page by page', async (t) => {
  const database = await withHosts(t, ['a'], ['b'])
  for (const sort of [undefined, '+createDate', '-createDate', 'name', '-name']) {
    const { page } = hosts.statements(database.engine, sort === undefined ? {} : { sort })
    assert.ok(page)
    const plan = await planOf(database, page)
    assert.match(plan, /USING INDEX|Index Scan/, page.sql)
    assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, page.sql)
  }
})

test('packages of a status are counted and paged by an index, unless another condition is more selective', async (t) => {
  const database = await testDatabase(t)
  const packages = collection(SoftwarePackageInventory)
  for (const [q, sort, index] of [
    [['status=Uploaded'], '-createDate', /ByStatus\b/],
    [['status=Uploaded'], '+createDate', /ByStatus\b/],
    [['status=Uploaded'], '-name', /ByStatusAndName/],
    [['status=Uploaded', 'hostUuid=a'], '-createDate', /ByHost/],
  ] as const) {
    const { page, count } = packages.statements(database.engine, { q: [...q], sort, replyWithCount: true })
    assert.ok(page && count)
    const plan = await planOf(database, page)
    // without rows PostgreSQL has no statistics about the conditions
    if (q.length === 1 || database.engine === 'sqlite') assert.match(plan, index, page.sql)
    if (q.length > 1) continue
    assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, page.sql)
    assert.match(await planOf(database, count), /COVERING INDEX|Index Only Scan/, count.sql)
  }
})
