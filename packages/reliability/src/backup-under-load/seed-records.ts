import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { AlertPlatformFixture, type Answer, type ChatReceiver, type ServerProcess } from '@wharf/testkit'
import { chats } from './writers.ts'

const maxDeliveryMs = 30_000

const createdUuid = ({ status, text, body }: Answer): string => {
  assert.equal(status, 200, text)
  return (body.inventory as { uuid: string }).uuid
}

/** Creates records of most kinds that do not change while others are written. Returns a chat endpoint at `receiver`. */
export async function seedRecords({ admin, anonymous }: ServerProcess, receiver: ChatReceiver): Promise<string> {
  const url = receiver.webhookUrl('Slack', 'hook')
  const chat = createdUuid(await admin.post(chats, { params: { name: 'reachable', type: 'Slack', url } }))
  const person = { name: 'somebody', password: 'password of somebody', role: 'reader' }
  createdUuid(await admin.post('/v1/accounts', { params: person }))
  const tag = createdUuid(await admin.post('/v1/tags', { params: { name: 'attached' } }))
  const plugin = createdUuid(await admin.post('/v1/cluster-plugin', { params: { name: 'etcd', tagUuids: [tag] } }))
  const attached = await admin.post(`/v1/cluster-plugin/${plugin}/alert-platform`, {})
  assert.equal(attached.status, 200, attached.text)
  const { uuid } = attached.body.thirdPartyPlatform as { uuid: string }
  const { token } = (await admin.put(`/v1/zwatch/third-party/platforms/${uuid}/actions`, { resetToken: {} })).body
  const sent = await new AlertPlatformFixture(anonymous, { uuid, token: String(token) }).send({
    name: 'before the backup',
  })
  assert.equal(sent.status, 200, sent.text)
  const isDelivered = async (): Promise<boolean> =>
    (await admin.get('/v1/sns/deliveries?q=status=Delivered&count=true')).body.total === 1
  for (const began = performance.now(); !(await isDelivered()); await delay(20))
    assert.ok(performance.now() - began < maxDeliveryMs, 'the alert is not delivered')
  return chat
}
