import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAllPages } from './read-all-pages.ts'

/** Responds as a server with these uuids does. */
const reader =
  (uuids: readonly string[], queries: string[][] = []) =>
  async ({ q, limit }: { q: readonly string[]; limit: number }) => {
    queries.push([...q])
    const after = q.find((condition) => condition.startsWith('uuid>'))?.slice('uuid>'.length) ?? ''
    return uuids
      .filter((uuid) => uuid > after)
      .slice(0, limit)
      .map((uuid) => ({ uuid }))
  }

for (const uuids of [[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd', 'e']])
  test(`${uuids.length} records are read once, two at a time`, async () => {
    const pages = await Array.fromAsync(readAllPages(reader(uuids), ['name=x'], 2))
    assert.deepEqual(
      pages.flat().map(({ uuid }) => uuid),
      uuids,
    )
  })

test('every page has the conditions of the filter', async () => {
  const queries: string[][] = []
  await Array.fromAsync(readAllPages(reader(['a', 'b', 'c'], queries), ['name=x'], 2))
  assert.deepEqual(queries, [['name=x'], ['name=x', 'uuid>b']])
})
