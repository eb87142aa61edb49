import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type Answer, assertFailure, TestServer } from '@wharf/testkit'

const server = await TestServer.start({ after })
const { admin } = server
const { database } = server.app.foundation

const add = (managementIp: string, apiPort?: number): Promise<Answer> =>
  admin.post('/v1/cluster-plugin', { params: { name: 'etcd', managementIp, apiPort } })
const count = async (): Promise<number> => {
  const { body } = await admin.get('/v1/cluster-plugin')
  return (body.inventories as unknown[]).length
}

beforeEach(() =>
  database.transaction(async (tx) => {
    await tx.deleteFrom('clusterPlugins').execute()
    return {}
  }),
)

const spellings: [first: string, again: string][] = [
  ['10.0.0.1', '10.0.0.1'],
  ['fd00::1', 'FD00:0::0001'],
  ['10.0.0.1', '::ffff:10.0.0.1'],
  ['Node.Example', 'node.example'],
]
for (const [first, again] of spellings)
  test(`a component at ${first} is not added again as ${again}`, async () => {
    assert.equal((await add(first)).status, 200)
    assertFailure(await add(again), { status: 409, code: 'SYS.1002', details: 'as cluster plugin etcd' })
    assert.equal(await count(), 1)
    assert.equal((await add(first, 8057)).status, 200, 'another port is another component')
  })

test('of many concurrent calls one adds the component', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => add('10.0.0.1')))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array<number>(7).fill(409)])
  assert.equal(await count(), 1)
})

test('a component that an older version added is refused, even when it added it twice', async () => {
  const old = { name: 'old', managementIp: '10.0.0.1', apiPort: 8056, isPortGiven: 0, createDate: 0, lastOpDate: 0 }
  for (const letter of ['a', 'b'])
    await database.transaction(async (tx) => {
      await tx
        .insertInto('clusterPlugins')
        .values({ uuid: letter.repeat(32), ...old })
        .execute()
      return {}
    })
  assertFailure(await add('10.0.0.1'), { status: 409, code: 'SYS.1002', details: 'as cluster plugin old' })
  assert.equal((await admin.delete(`/v1/cluster-plugin/${'a'.repeat(32)}`)).status, 200)
})

test('a removed component can be added again', async () => {
  const { inventory } = (await add('10.0.0.1')).body as { inventory: { uuid: string } }
  assert.equal((await admin.delete(`/v1/cluster-plugin/${inventory.uuid}`)).status, 200)
  assert.equal((await add('10.0.0.1')).status, 200)
})

for (const text of ['999.1.1.1', '10.0.0', 'node_1', 'node.7', '-node', 'node.'])
  test(`${text} is not a valid managementIp`, async () => {
    assertFailure(await add(text), { status: 400, code: 'SYS.1007', details: 'params.managementIp' })
    assert.equal(await count(), 0)
  })
