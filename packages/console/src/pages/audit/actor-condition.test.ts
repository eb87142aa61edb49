import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorCondition } from './actor-condition.ts'

test('actors without a name are found by the name that the list shows', () => {
  assert.equal(actorCondition('actorName=Wharf'), 'actorKind=System')
  assert.equal(actorCondition('actorName!=Wharf'), 'actorKind!=System')
  for (const name of ['Unknown', '未知']) assert.equal(actorCondition(`actorName=${name}`), 'actorKind=Anonymous')
})

test('users with a similar name are found by their name', () => {
  for (const name of ['admin', 'wharf', 'system', 'System', 'unknown', 'anonymous', 'Anonymous'])
    assert.equal(actorCondition(`actorName=${name}`), `actorName=${name}`)
  for (const other of ['actorName~=%Wharf%', 'resourceName=Wharf']) assert.equal(actorCondition(other), other)
})
