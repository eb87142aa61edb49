import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aliases, operations } from './operations.ts'

const named = operations.filter(({ client }) => client !== null)
const groupOf = (client: string | null): string => client?.split('.')[0] ?? ''

test('every operation but the streams has a name for clients, and no two the same', () => {
  for (const { name, client, mode } of operations) assert.equal(client === null, mode === 'stream', name)
  assert.equal(new Set(named.map(({ client }) => client)).size, named.length)
})

test('the names read as a group and a method, in camel case', () => {
  for (const { name, client } of named) assert.match(client ?? '', /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/, name)
})

test('a group is about one kind of record of one resource', () => {
  for (const [group, members] of Map.groupBy(named, ({ client }) => groupOf(client))) {
    assert.equal(new Set(members.map(({ resource }) => resource)).size, 1, group)
    const records = new Set(members.flatMap(({ queries }) => (queries === undefined ? [] : [queries.name])))
    assert.ok(records.size <= 1, group)
  }
})

test('collections are queried by query, and one of them is got by get', () => {
  for (const { name, client, queries, path } of named)
    if (queries !== undefined) assert.ok(client?.endsWith(path.endsWith('/{uuid}') ? '.get' : '.query'), name)
})

test('a former name is the same call as its operation, and no operation has it', () => {
  assert.deepEqual(
    aliases.map(({ name, aliasOf }) => `${name} is ${aliasOf}`),
    ['LookAtHostKeys is GetHostKeys'],
  )
  for (const { aliasOf, name, client, ...call } of aliases) {
    const { name: _, client: __, ...current } = operations.find((operation) => operation.name === aliasOf) ?? {}
    assert.deepEqual(call, current, name)
    assert.ok(!operations.some((operation) => operation.name === name || operation.client === client), name)
  }
})
