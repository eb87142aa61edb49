import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as contract from '@wharf/contract'
import { recordEvents, recordsIn, staleResources } from './record-events.ts'

const declared = Object.entries(contract).flatMap(([name, value]) =>
  typeof value === 'object' && 'schema' in value && 'since' in value ? [name] : [],
)

/** Resources that no event changes: their answers come from files, or from another machine. */
const withoutEvents = ['elaborations']

test('every record of the contract has an entry, and no other name has one', () => {
  assert.deepEqual(Object.keys(recordEvents).sort(), declared.sort())
})

test('every resource that the console can list is refetched by an event', () => {
  const refetched = new Set([...staleResources.values()].flatMap((resources) => [...resources]))
  const listed = contract.operations.filter(({ answer, method }) => method === 'GET' && recordsIn(answer).length > 0)
  const missing = new Set(listed.map(({ resource }) => resource).filter((resource) => !refetched.has(resource)))
  assert.deepEqual([...missing], withoutEvents)
})

test('an event makes every resource stale that returns the changed record', () => {
  const rows = {
    Host: ['candidate-hosts', 'hosts'],
    SoftwarePackage: ['migration', 'software-packages'],
    ThirdPartyPlatform: ['alerts', 'cluster-plugins'],
    ThirdPartyAlert: ['alerts'],
    Delivery: ['chat-endpoints'],
    ApiJob: ['jobs'],
    User: ['identity'],
    Tag: ['tags'],
  }
  for (const [event, resources] of Object.entries(rows))
    assert.deepEqual([...(staleResources.get(event) ?? [])].sort(), resources, event)
})

test('the console handles every event type that the server publishes', () => {
  const sources = new URL('../../../server/src/', import.meta.url)
  const published = new Set(
    globSync('**/*.ts', { cwd: sources })
      .filter((name) => !/[.]test[.]ts$|testing[/]|migrations[/]/.test(name))
      .flatMap((name) => [...readFileSync(new URL(name, sources), 'utf8').matchAll(/\bresourceType(?:: | = )'(\w+)'/g)])
      .map(([, type = '']) => type),
  )
  // only for other nodes: no client receives it
  published.delete('Session')
  assert.ok(published.has('ApiJob'))
  for (const type of published) assert.ok(staleResources.has(type), `no query is refetched for ${type}`)
})

test('records are found at any depth of an answer', () => {
  assert.deepEqual(recordsIn({ inventories: { items: { title: 'HostInventory' } } }), ['HostInventory'])
  assert.deepEqual(recordsIn({ a: { title: 'Nothing' }, b: [null, 'HostInventory', 1] }), [])
})
