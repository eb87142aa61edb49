import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorCondition } from './actor-condition.ts'

test('automatic actions are found by the name that the list shows, and by that of the API', () => {
  for (const name of ['Wharf', 'wharf', 'System']) {
    assert.equal(actorCondition(`actorName=${name}`), 'actorKind=System')
    assert.equal(actorCondition(`actorName!=${name}`), 'actorKind!=System')
  }
  for (const name of ['Unknown', '未知', 'Anonymous'])
    assert.equal(actorCondition(`actorName=${name}`), 'actorKind=Anonymous')
  for (const other of ['actorName=admin', 'actorName~=%Wharf%', 'resourceName=Wharf'])
    assert.equal(actorCondition(other), other)
})
