import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isOptional, operations } from '@wharf/contract'
import { assertFailure, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const operator = await server.signIn('operator')
const { hostUuid, backupStorageUuid, managementNodeUuid, accountUuid } = server.bootstrap

const creations = {
  '/v1/tags': { name: 'a' },
  '/v1/zwatch/third-party/platforms': { name: 'a', type: 'Alertmanager' },
  '/v1/cluster-plugin': { name: 'a', managementIp: '10.0.0.1' },
  '/v1/accesskeys': { accountUuid: operator.accountUuid, userUuid: operator.accountUuid },
  '/v1/software-packages/backup-storage/upload': { name: 'a', type: 'storage', url: 'upload://a', installPath: 'a' },
} as const

for (const [path, params] of Object.entries(creations))
  test(`POST ${path} rejects the uuid of another record`, async () => {
    for (const resourceUuid of [hostUuid, backupStorageUuid, managementNodeUuid, accountUuid]) {
      const refused = await operator.post(path, { params: { ...params, resourceUuid }, userTags: ['mine'] })
      assertFailure(refused, { status: 409, code: 'SYS.1002', details: `uuid ${resourceUuid} is in use` })
      const { inventories } = (await operator.get(`/v1/user-tags?q=resourceUuid=${resourceUuid}`)).body
      assert.deepEqual(inventories, [])
    }
  })

test('a tag with the uuid of a record cannot remove the tags of that record', async () => {
  const created = await operator.post('/v1/cluster-plugin', { params: { name: 'b' }, userTags: ['kept'] })
  const { uuid } = created.body.inventory as { uuid: string }
  const taking = { params: { name: 'taker', resourceUuid: uuid.toUpperCase() } }
  assertFailure(await operator.post('/v1/tags', taking), { status: 409, code: 'SYS.1002', details: 'cluster plugin' })
  const { total } = (await operator.get(`/v1/user-tags?count=true&q=resourceUuid=${uuid}`)).body
  assert.equal(total, 1)
})

test('a repeated call with a chosen uuid gets the same response', async () => {
  const params = { name: 'repeated', resourceUuid: 'a'.repeat(32) }
  const send = () => operator.post('/v1/tags', { params }, { 'idempotency-key': 'chosen' })
  assert.equal((await send()).text, (await send()).text)
  assertFailure(await operator.post('/v1/tags', { params }), {
    status: 409,
    code: 'SYS.1002',
    details: 'already exists',
  })
})

test('every operation that accepts a uuid declares that it may be in use', () => {
  for (const { name, fields, errors } of operations)
    if (isOptional(fields.resourceUuid)) assert.ok((errors as readonly string[]).includes('SYS.1002'), name)
})
