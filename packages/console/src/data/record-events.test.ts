import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inventories, inventoriesIn, operations } from '@wharf/contract'
import { staleResources } from './record-events.ts'

/** Resources that no event changes: their answers come from files, or from another machine. */
const withoutEvents = ['elaborations']

test('every resource that the console can list is refetched by an event', () => {
  const refetched = new Set([...staleResources.values()].flatMap((resources) => [...resources]))
  const listed = operations.filter(({ answer, method }) => method === 'GET' && inventoriesIn(answer).length > 0)
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

test('every event type that clients receive makes a query stale', () => {
  const types = new Set(inventories.flatMap(({ events }) => events))
  // for other nodes only
  types.delete('Session')
  assert.ok(types.has('ApiJob'))
  for (const type of types) assert.ok(staleResources.has(type), `no query is refetched for ${type}`)
})
