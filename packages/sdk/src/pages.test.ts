import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { Wharf } from './wharf.ts'

const server = await TestServer.start({ after })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const wharf = new Wharf({ url: server.url, accessKey: { id, secret } })
const names = Array.from({ length: 25 }, (_, index) => `tag-${String(index).padStart(2, '0')}`)
await Promise.all(names.map((name) => wharf.tags.create({ name })))

test('returns every record once, for any page size', async () => {
  for (const limit of [1, 4, 5, 25, 26, 500]) {
    const found = (await Array.fromAsync(wharf.tags.all({ limit }))).map(({ name }) => name)
    assert.deepEqual(found.toSorted(), names, `pages of ${limit}`)
  }
})

test('applies conditions and order', async () => {
  const query = { q: ['name>=tag-05', 'name<tag-15'], sort: '-name', limit: 3 }
  const found = (await Array.fromAsync(wharf.tags.all(query))).map(({ name }) => name)
  assert.deepEqual(found, names.slice(5, 15).reverse())
})

test('fields selects fields', async () => {
  const [first] = await Array.fromAsync(wharf.tags.all({ fields: ['name'], limit: 10 }))
  assert.deepEqual(Object.keys(first ?? {}).toSorted(), ['name', 'uuid'])
})

test('deleting records during the iteration skips no others', async () => {
  const deleted = await Promise.all(names.map((name) => wharf.tags.create({ name: `deleted-${name}` })))
  let seen = 0
  for await (const { uuid } of wharf.tags.all({ q: ['name~=deleted-%'], limit: 4 })) {
    await wharf.tags.delete(uuid)
    seen++
  }
  assert.equal(seen, deleted.length)
})

test('a collection without uuids is paged by offset', async () => {
  assert.deepEqual(await Array.fromAsync(wharf.clusterAlertPlatforms.all()), [])
})

test('the parts of a record are read below its path', async () => {
  const parts = Array.fromAsync(wharf.rolloutTargets.all('0'.repeat(32), { limit: 5 }))
  await assert.rejects(parts, { code: 'SYS.1003', status: 404 })
})

test('one returns a record by its uuid', async () => {
  const [tag] = await Array.fromAsync(wharf.tags.all({ q: ['name=tag-07'] }))
  assert.deepEqual(await wharf.tags.one(tag?.uuid ?? ''), tag)
  await assert.rejects(wharf.tags.one('0'.repeat(32)), { code: 'SYS.1003', status: 404 })
})

test('types: missing, misspelt and uncallable inputs do not compile', () => {
  const never = () => {
    // @ts-expect-error a name is required
    void wharf.tags.create({})
    // @ts-expect-error no such field
    void wharf.tags.create({ name: 'a', colour: 'red' })
    // @ts-expect-error the path has a parameter
    void wharf.tags.delete()
    // @ts-expect-error not an allowed value
    void wharf.hosts.changeState('u', { stateEvent: 'off' })
    // @ts-expect-error streams have dedicated methods
    void wharf.jobs.get('u')
    void wharf.tags.create({ name: 'a', color: undefined, userTags: ['x'] }, { signal: undefined })
  }
  assert.equal(typeof never, 'function')
})
