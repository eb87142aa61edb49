import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, TestNodes, testEngine } from '@wharf/testkit'

const hourMs = 3_600_000

/** Only PostgreSQL can be shared. */
if (testEngine === 'postgres') {
  const off = (ms: number) => ({ clock: { now: () => Date.now() + ms } })
  const { servers } = await TestNodes.start({ after }, 3, [{}, off(hourMs), off(-hourMs / 2)])
  const [first] = servers as [(typeof servers)[0]]
  const { credential } = first.admin

  const nodes = async () =>
    (await first.admin.get('/v1/management-nodes')).body.inventories as {
      uuid: string
      status: string
      lastOpDate: string
    }[]

  test('nodes whose clocks are an hour off neither look dead nor give others up', async () => {
    // three heartbeats, the second of which judges
    for (let round = 0; round < 3; round++) {
      const before = await nodes()
      for (let tries = 0; tries < 200; tries++) {
        const now = await nodes()
        if (now.every(({ lastOpDate }, at) => lastOpDate !== before[at]?.lastOpDate)) break
        await delay(50)
      }
    }
    assert.deepEqual(new Set((await nodes()).map(({ status }) => status)), new Set(['Alive']))
  })

  test('and hand calls on to each other', async () => {
    for (const { url, app } of servers) {
      // a signed call must bear the time of the node that is asked; a session need not
      const client = new Client(url, credential, app.foundation.clock)
      const account = { accountName: 'admin', password: first.bootstrap.password }
      const { inventory } = (await client.put('/v1/accounts/login', { logInByAccount: account })).body
      const session = new Client(url, { kind: 'session', uuid: (inventory as { uuid: string }).uuid })
      for (const { bootstrap } of servers) {
        const query = new URLSearchParams({ managementNodeUuid: bootstrap.managementNodeUuid, directoryPath: '/' })
        const answer = await session.get(`/v1/software-package/directory/usage?${query}`)
        assert.equal(answer.status, 200, answer.text)
      }
    }
  })
}
