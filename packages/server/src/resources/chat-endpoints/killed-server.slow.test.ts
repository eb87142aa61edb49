import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AlertPlatformFixture, ChatReceiver, ServerProcess, serverEnvironment } from '@wharf/testkit'

const kills = process.env.TEST_LONG ? 10 : 2
const alertsPerLife = 12

test('every accepted alert is delivered in order after repeated kill -9', async () => {
  const receiver = await ChatReceiver.start({ after })
  const environment = { ...(await serverEnvironment({ after })), WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
  const server = new ServerProcess(environment)
  after(() => server.kill())
  await server.start()

  const made = await server.admin.post('/v1/cluster-plugin', { params: { name: 'etcd' } })
  const { uuid: plugin } = made.body.inventory as { uuid: string }
  const attached = await server.admin.post(`/v1/cluster-plugin/${plugin}/alert-platform`, {})
  assert.equal(attached.status, 200, attached.text)
  const { uuid } = attached.body.thirdPartyPlatform as { uuid: string }
  const actions = `/v1/zwatch/third-party/platforms/${uuid}/actions`
  const { token } = (await server.admin.put(actions, { resetToken: {} })).body
  const params = { name: 'ops', type: 'Slack', url: receiver.webhookUrl('Slack', 'killed') }
  const endpoint = await server.admin.post('/v1/sns/application-endpoints/chatapp', { params })
  assert.equal(endpoint.status, 200, endpoint.text)

  const accepted: string[] = []
  /** Repeats the webhook until it is accepted, as Alertmanager does. */
  const sendAlert = async (name: string): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      const fixture = new AlertPlatformFixture(server.anonymous, { uuid, token: String(token) })
      const status = await fixture.send({ name }).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 200) break
      await delay(50)
    }
    accepted.push(name)
  }
  for (let life = 0; life < kills; life++) {
    const sending = (async () => {
      for (let n = 0; n < alertsPerLife; n++) await sendAlert(`alert-${accepted.length + 100}`)
    })()
    await delay(20 + Math.random() * 250)
    await server.kill()
    await server.start()
    await sending
  }
  const taken = await receiver.waitForMessages('killed', accepted.length, 60_000)
  assert.equal(accepted.length, kills * alertsPerLife)
  assert.deepEqual(
    taken.map(({ body }) => /alert-\d+/.exec(body)?.[0]),
    accepted,
  )
  const again = receiver.requestsOf('killed').length - taken.length
  assert.ok(again <= kills, `${again} requests came twice, with ${kills} kills`)
})
