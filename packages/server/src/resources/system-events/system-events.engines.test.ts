import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import { newUuid } from '@wharf/platform/ids.ts'
import { assertFailure, ChatReceiver, MovingClock, TestServer, trialWith } from '@wharf/testkit'
import { step } from '../../jobs/definition.ts'
import { BackupStorageService } from '../backup-storage/service.ts'
import { DeliveryService } from '../chat-endpoints/service.ts'
import { HostService } from '../hosts/service.ts'
import { SystemEvents } from './service.ts'

const clock = new MovingClock()
const minute = 60_000
const secret = 'a-password-that-a-command-repeats'
const failing = step<{ secret: string }, { names: string }>('fail', async ({ input, conceal }) => {
  conceal(input.secret)
  throw new ApiError('SYS.1016', `login failed for ${input.secret}`)
})
const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
const server = await TestServer.start({ after }, { environment, clock, extend: trialWith([failing]) })
const receiver = await ChatReceiver.start({ after })
const { admin } = server
const { database } = server.app.foundation
const base = '/v1/sns/application-endpoints/chatapp'

type Fields = Record<string, unknown>

/** Another process with the same database. */
function otherNode(): SystemEvents {
  const { foundation } = server.app
  const limits = { maxDeliveryMs: 60 * minute } as ConstructorParameters<typeof DeliveryService>[0]['limits']
  return new SystemEvents({ ...foundation, deliveries: new DeliveryService({ ...foundation, limits }) })
}

async function endpoint(ownEvents: string[], fields: Fields = {}): Promise<{ uuid: string; name: string }> {
  const name = newUuid()
  const params = { name, type: 'Slack', url: receiver.webhookUrl('Slack', name), ownEvents, ...fields }
  const { body, text } = await admin.post(base, { params })
  assert.ok(body.inventory, text)
  assert.deepEqual((body.inventory as Fields).ownEvents, ownEvents)
  return { uuid: (body.inventory as { uuid: string }).uuid, name }
}

const deliveriesTo = async ({ uuid }: { uuid: string }): Promise<Fields[]> =>
  (await admin.get(`/v1/sns/deliveries?q=endpointUuid=${uuid}&sort=createDate`)).body.inventories as Fields[]
const eventsTo = async (to: { uuid: string }) => (await deliveriesTo(to)).map(({ ownEvent }) => ownEvent)

test('a failed job is one message to each subscriber, with its secrets masked', async () => {
  const subscribed = await endpoint(['JobFailed', 'HostConnected'], { language: 'zh' })
  const disabled = await endpoint(['JobFailed'])
  await admin.put(`${base}/${disabled.uuid}/actions`, { updateChatAppEndpoint: { stateEvent: 'disable' } })
  const other = await endpoint(['HostDisconnected'])
  const answer = await admin.post('/v1/demo-jobs', { params: { script: JSON.stringify({ secret }) } })
  assert.equal(answer.body.error?.code, 'SYS.1016')
  const [delivery, ...more] = await deliveriesTo(subscribed)
  assert.partialDeepStrictEqual(delivery, { ownEvent: 'JobFailed', alertUuid: null, resourceType: 'ApiJob' })
  assert.deepEqual(more, [])
  assert.match(String(delivery?.title), /^任务失败：/)
  const [{ body } = { body: '' }] = await receiver.waitForMessages(subscribed.name, 1)
  assert.match(body, /SYS\.1016 login failed for \\?\[secret\\?\]/)
  assert.match(body, /任务[\s\S]*发起人[\s\S]*admin/)
  assert.deepEqual([await deliveriesTo(disabled), await deliveriesTo(other)], [[], []])
  const rows = await database.read.selectFrom('deliveries').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(secret))
})

test('a transaction that is rolled back sends nothing', async () => {
  const subscribed = await endpoint(['RolloutPaused'])
  const { systemEvents } = server.app.foundation
  const resource = { type: 'Rollout', uuid: newUuid(), name: 'r1' }
  const undone = database.transaction(async (tx) => {
    await systemEvents.record(tx, { event: 'RolloutPaused', resource })
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await deliveriesTo(subscribed), [])
  // an event that is not a state is reported every time
  for (let n = 0; n < 2; n++)
    await database.transaction((tx) => systemEvents.record(tx, { event: 'RolloutPaused', resource }))
  assert.deepEqual(await eventsTo(subscribed), ['RolloutPaused', 'RolloutPaused'])
})

test('of two probes that find a host disconnected, one reports it', async () => {
  const { foundation } = server.app
  const [hosts, otherHosts] = [new HostService(foundation), new HostService(foundation)]
  const refused = { name: 'web-1', driver: 'ssh', address: '127.0.0.1', sshPort: 1, username: 'root' } as const
  const uuid = await database.transaction(async (tx) => {
    const host = await hosts.create(tx, refused)
    await hosts.update(tx, host.uuid, { status: 'Connected', state: 'Disabled' })
    return host.uuid
  })
  const subscribed = await endpoint(['HostDisconnected'])
  const probes = await Promise.allSettled([hosts.reconnect(uuid), otherHosts.reconnect(uuid)])
  assert.deepEqual(
    probes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await eventsTo(subscribed), ['HostDisconnected'])
  const [message] = await receiver.waitForMessages(subscribed.name, 1)
  assert.match(message?.body ?? '', /Host web-1 is disconnected[\s\S]*HOST\.1\d+[\s\S]*127\.0\.0\.1/)
})

test('a host that connects and disconnects constantly is one message in ten minutes', async () => {
  const { foundation } = server.app
  const { nodeUuid, systemEvents } = foundation
  const hosts = new HostService(foundation)
  const uuid = (await hosts.findThisMachine())?.uuid ?? ''
  // not probed meanwhile
  await database.transaction((tx) => hosts.changeState(tx, uuid, 'disable'))
  const both = await endpoint(['HostDisconnected', 'HostConnected'])
  const oneKind = await endpoint(['HostDisconnected'])
  const disconnect = () => database.transaction((tx) => hosts.disconnectRecordsOn(tx, nodeUuid))
  const connect = () => hosts.reconnect(uuid)
  const sendHeld = () => Promise.all([systemEvents.sendHeld(), otherNode().sendHeld(), otherNode().sendHeld()])

  for (let n = 0; n < 3; n++) {
    await disconnect()
    clock.advance(minute)
    await connect()
    await sendHeld()
  }
  assert.deepEqual([await eventsTo(both), await eventsTo(oneKind)], [['HostDisconnected'], ['HostDisconnected']])

  clock.advance(7 * minute)
  await sendHeld()
  await sendHeld()
  assert.deepEqual(await eventsTo(both), ['HostDisconnected', 'HostConnected'], 'the state at the end of the interval')
  assert.deepEqual(await eventsTo(oneKind), ['HostDisconnected'])

  await disconnect()
  await connect()
  clock.advance(10 * minute)
  await sendHeld()
  assert.deepEqual(await eventsTo(both), ['HostDisconnected', 'HostConnected'], 'the state is the reported one')
  assert.deepEqual(await eventsTo(oneKind), ['HostDisconnected', 'HostDisconnected'])

  const stored = () => database.read.selectFrom('ownEventMessages').select('endpointUuid').execute()
  assert.notDeepEqual(await stored(), [])
  clock.advance(10 * minute)
  await systemEvents.removeOld()
  assert.deepEqual(await stored(), [])
})

test('a storage whose space is low is reported once', async () => {
  const storage = new BackupStorageService(server.app.foundation)
  const uuid = (await storage.findOwnFolder()) ?? ''
  const subscribed = await endpoint(['StorageAlmostFull'])
  const probe = (availableCapacity: number) =>
    database.transaction(async (tx) =>
      storage.recordSpace(tx, { ...(await storage.get(uuid, tx)), totalCapacity: 1000, availableCapacity }),
    )
  await probe(500)
  for (const available of [99, 101, 99]) await probe(available)
  assert.deepEqual(await eventsTo(subscribed), ['StorageAlmostFull'])
  clock.advance(10 * minute)
  for (const available of [200, 99]) await probe(available)
  assert.deepEqual(await eventsTo(subscribed), ['StorageAlmostFull', 'StorageAlmostFull'])
})

test('a test of an event is sent with the template of the endpoint and is in the history', async () => {
  const ownEventTemplate = '{{ event.name }}: {{ resource.name }} ({{ resource.type }})'
  const to = await endpoint([], { ownEventTemplate })
  const answer = await admin.post(`${base}/${to.uuid}/test`, { params: { ownEvent: 'HostDisconnected' } })
  assert.equal(answer.status, 200, answer.text)
  assert.match(receiver.accepted(to.name)[0]?.body ?? '', /HostDisconnected: web-1 \(Host\)/)
  const failing = await endpoint([], {
    url: receiver.webhookUrl('Slack', 'broken', { status: 404, body: 'no_service' }),
  })
  assertFailure(await admin.post(`${base}/${failing.uuid}/test`, { params: { ownEvent: 'JobFailed' } }), {
    status: 502,
    code: 'SNS.1001',
    details: 'no_service',
  })
  const tested = { resourceUuid: null, alertUuid: null, attempts: 1 }
  assert.partialDeepStrictEqual(await deliveriesTo(to), [
    { ...tested, ownEvent: 'HostDisconnected', status: 'Delivered', reason: null },
  ])
  assert.partialDeepStrictEqual(await deliveriesTo(failing), [
    { ...tested, ownEvent: 'JobFailed', status: 'Failed', deliveredDate: null },
  ])
  const [{ uuid } = {}] = await deliveriesTo(failing)
  assert.equal((await admin.put(`/v1/sns/deliveries/${uuid}/actions`, { resendDelivery: {} })).status, 200)
  await receiver.waitForMessages('broken', 1)
})

test('the subscriptions and the template of an endpoint can be changed; what cannot be used is refused', async () => {
  const { uuid } = await endpoint([])
  const update = (fields: Fields) => admin.put(`${base}/${uuid}/actions`, { updateChatAppEndpoint: fields })
  const inventoryOf = async (fields: Fields) => (await update(fields)).body.inventory as Fields
  const ownEvents = ['JobFailed', 'AccessKeyExpires']
  assert.partialDeepStrictEqual(await inventoryOf({ ownEvents: [...ownEvents, 'JobFailed'], ownEventTemplate: 'x' }), {
    ownEvents,
    ownEventTemplate: 'x',
  })
  assertFailure(await update({ ownEvents: ['HostLost'] }), { status: 400, code: 'SYS.1007', details: 'ownEvents' })
  const broken = { status: 400, code: 'SYS.1007', details: 'ownEventTemplate cannot be used' }
  assertFailure(await update({ ownEvents: [], ownEventTemplate: '{% if %}' }), broken)
  const created = { name: 'x', type: 'Slack', url: 'https://hooks.example/x', ownEventTemplate: '{{ x | nothing }}' }
  assertFailure(await admin.post(base, { params: created }), broken)
  assert.partialDeepStrictEqual(await inventoryOf({ clear: ['ownEventTemplate'] }), {
    ownEvents,
    ownEventTemplate: null,
  })
})

test('a template that fails does not lose the message', async () => {
  const ownEventTemplate = '{% if resource.name == "r2" %}{% for i in (1..9999999) %}{% endfor %}{% endif %}'
  const to = await endpoint(['RolloutFailed'], { ownEventTemplate })
  const resource = { type: 'Rollout', uuid: newUuid(), name: 'r2' }
  const { systemEvents } = server.app.foundation
  await database.transaction((tx) =>
    systemEvents.record(tx, { event: 'RolloutFailed', resource, reason: '3 hosts failed' }),
  )
  const [message] = await receiver.waitForMessages(to.name, 1)
  assert.match(message?.body ?? '', /3 hosts failed[\s\S]*The template of .* failed: it needs too much memory/)
})
