import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostDestination, onlyOne, storageDestination } from './destination.ts'

const usable = { uuid: 'u', name: 'web-1', state: 'Enabled', status: 'Connected', availableCapacity: 100 }

test('an enabled and connected host is usable', () => {
  assert.deepEqual(hostDestination({ ...usable, packagesPath: '/srv', driver: 'ssh' }), {
    kind: 'host',
    uuid: 'u',
    name: 'web-1',
    availableCapacity: 100,
    packagesPath: '/srv',
    driver: 'ssh',
    obstacle: undefined,
  })
})

const obstacles: [change: { state?: string; status?: string }, obstacle: string][] = [
  [{ state: 'Disabled' }, 'Disabled'],
  [{ status: 'Connecting' }, 'Connecting'],
  [{ status: 'Disconnected' }, 'Disconnected'],
  [{ state: 'Disabled', status: 'Disconnected' }, 'Disabled'],
]
for (const [change, obstacle] of obstacles)
  for (const [kind, destinationOf] of [
    ['host', hostDestination],
    ['storage', storageDestination],
  ] as const)
    test(`a ${kind} with ${JSON.stringify(change)} is not usable`, () => {
      const destination = destinationOf({ ...usable, ...change })
      assert.equal(destination.kind, kind)
      assert.equal(destination.obstacle, obstacle)
    })

test('only a single destination is chosen for the user', () => {
  const [host, storage] = [hostDestination(usable), storageDestination(usable)]
  assert.equal(onlyOne([[host], []]), host)
  assert.equal(onlyOne([[], [storage]]), storage)
  assert.equal(onlyOne([[host], [storage]]), undefined)
  assert.equal(onlyOne([[host, host], []]), undefined)
  assert.equal(onlyOne([[], []]), undefined)
  assert.equal(onlyOne([[host], undefined]), undefined, 'the other list is loading')
})

test('a storage has no folder and no driver', () => {
  const { packagesPath, driver } = storageDestination(usable)
  assert.deepEqual([packagesPath, driver], [null, undefined])
})
