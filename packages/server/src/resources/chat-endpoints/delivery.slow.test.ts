import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  AlertPlatformFixture,
  assertFailure,
  type ChatAnswer,
  ChatReceiver,
  MovingClock,
  TestServer,
} from '@wharf/testkit'

const quick = { retryMs: [20, 40], pollMs: 50, requestMs: 400 }
const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
const hour = 3_600_000
const server = await TestServer.start({ after }, { environment, deliveryLimits: quick })
const receiver = await ChatReceiver.start({ after })
const base = '/v1/sns/application-endpoints/chatapp'

type Fields = Record<string, unknown>

/** An endpoint with a separate platform and scripted answers. */
async function chat(
  name: string,
  answers: ChatAnswer[],
  { on = server, type = 'Slack', ...fields }: Fields & { on?: TestServer; type?: string } = {},
) {
  const platform = await AlertPlatformFixture.create(on, name)
  const params = {
    name,
    type,
    url: receiver.webhookUrl(type, name, ...answers),
    platformUuids: [platform.uuid],
    ...fields,
  }
  const { body, text } = await on.admin.post(base, { params })
  assert.ok(body.inventory, text)
  const { uuid } = body.inventory as { uuid: string }
  const deliveries = async (): Promise<Fields[]> => {
    const answer = await on.admin.get(`/v1/sns/deliveries?q=endpointUuid=${uuid}&sort=createDate`)
    return answer.body.inventories as Fields[]
  }
  const settled = async (status: string, limitMs = 10_000): Promise<Fields[]> => {
    for (const began = performance.now(); performance.now() - began < limitMs; await delay(10)) {
      const found = await deliveries()
      if (found.length > 0 && found.every((row) => row.status === status)) return found
    }
    throw new Error(`not ${status}: ${JSON.stringify(await deliveries())}`)
  }
  const update = (change: Fields) => on.admin.put(`${base}/${uuid}/actions`, { updateChatAppEndpoint: change })
  return { uuid, platform, deliveries, settled, update, name }
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `alert-${String(n).padStart(3, '0')}` }))
const namesIn = (requests: readonly { body: string }[]) => requests.map(({ body }) => /alert-\d+/.exec(body)?.[0])

const unsure: ChatAnswer[] = [
  { status: 500 },
  'reset',
  { status: 429, headers: { 'retry-after': '0' } },
  'silence',
  { status: 502 },
  { status: 408 },
]

test('each alert is delivered once and in order for any answer of a vendor', async () => {
  const script = Array.from(
    { length: 40 },
    (_, n): ChatAnswer => (n % 3 === 2 ? 'ok' : (unsure[n % unsure.length] ?? 'ok')),
  )
  const { platform, settled, name } = await chat('script', script)
  const alerts = numbered(20)
  for (let from = 0; from < 20; from += 5) await platform.send(...alerts.slice(from, from + 5))
  await receiver.waitForMessages(name, 20, 40_000)
  assert.deepEqual(
    namesIn(receiver.accepted(name)),
    alerts.map((alert) => alert.name),
  )
  const taken = receiver.requestsOf(name).filter(({ isAccepted }) => isAccepted)
  assert.equal(taken.length, 20, 'not one was sent again that had arrived')
  assert.equal(receiver.maxConcurrent.get(`/Slack/${name}`), 1)
  const rows = await settled('Delivered')
  assert.ok(
    rows.some(({ attempts }) => Number(attempts) > 1) &&
      rows.every(({ reason, nextAttemptDate }) => reason === null && nextAttemptDate === null),
  )
})

test('200 with a failure code is retried', async () => {
  const busy: ChatAnswer = { status: 200, body: '{"errcode":-1,"errmsg":"system busy"}' }
  const { platform, settled, name } = await chat('errcode', [busy, busy], { type: 'DingTalk' })
  await platform.send(...numbered(3))
  await receiver.waitForMessages(name, 3)
  assert.deepEqual(namesIn(receiver.accepted(name)), ['alert-000', 'alert-001', 'alert-002'])
  const rows = await settled('Delivered')
  assert.deepEqual(rows.map(({ attempts }) => attempts).toSorted(), [1, 1, 3])
})

test('an event of Wharf itself has the mentions, retries and history of an alert', async () => {
  const fields = { ownEvents: ['RolloutFailed'], ownEventTemplate: '**{{ resource.name }}** {{ event.reason }}' }
  const { uuid, settled, name } = await chat('own-event', [{ status: 500 }, 'reset'], fields)
  await server.admin.post(`${base}/at-persons`, { params: { userId: 'U024BE7LH', endpointUuid: uuid } })
  const { database, systemEvents } = server.app.foundation
  const resource = { type: 'Rollout', uuid: 'a'.repeat(32), name: 'r-1' }
  await database.transaction((tx) =>
    systemEvents.record(tx, { event: 'RolloutFailed', resource, reason: 'too many hosts failed' }),
  )
  const [message, ...more] = await receiver.waitForMessages(name, 1)
  assert.match(message?.body ?? '', /Rollout r-1 failed[\s\S]*<@U024BE7LH>[\s\S]*\*r-1\* too many hosts failed/)
  assert.deepEqual(more, [])
  assert.equal(new Set(receiver.requestsOf(name).map(({ key }) => key)).size, 1)
  const [delivery] = await settled('Delivered')
  assert.partialDeepStrictEqual(delivery, {
    ownEvent: 'RolloutFailed',
    resourceType: 'Rollout',
    resourceUuid: resource.uuid,
    attempts: 3,
    text: '**r-1** too many hosts failed',
  })
})

const dead: { name: string; type?: string; answer: ChatAnswer; reason: RegExp }[] = [
  { name: 'dead-404', answer: { status: 404, body: 'no_service' }, reason: /Slack answered HTTP 404: no_service/ },
  { name: 'dead-400', answer: { status: 400, body: 'wh4tever' }, reason: /^Slack answered HTTP 400$/ },
  {
    name: 'dead-token',
    type: 'DingTalk',
    answer: { status: 200, body: '{"errcode":300001}' },
    reason: /token is not known/,
  },
  { name: 'dead-size', type: 'DingTalk', answer: { status: 200, body: '{"errcode":460101}' }, reason: /too long/ },
]
for (const { name, type = 'Slack', answer, reason } of dead) {
  test(`fails on ${name} without a retry, and continues with the next`, async () => {
    const { platform, deliveries } = await chat(name, [answer], { type })
    await platform.send(...numbered(2))
    await receiver.waitForMessages(name, 1)
    assert.deepEqual(namesIn(receiver.requestsOf(name)), ['alert-000', 'alert-001'])
    for (let n = 0; n < 100 && (await deliveries()).some(({ status }) => status === 'Waiting'); n++) await delay(20)
    const [first, second] = (await deliveries()).toSorted((a, b) => String(a.title).localeCompare(String(b.title)))
    assert.partialDeepStrictEqual(first, { status: 'Failed', attempts: 1, nextAttemptDate: null, deliveredDate: null })
    assert.match(String(first?.reason), reason)
    assert.equal(second?.status, 'Delivered')
  })
}

test('a failed message can be resent, with another idempotency key', async () => {
  const { platform, settled, name } = await chat('resend', [{ status: 404 }])
  await platform.send(...numbered(1))
  const [failed] = await settled('Failed')
  const operator = await server.signIn('operator')
  const resend = () => operator.put(`/v1/sns/deliveries/${failed?.uuid}/actions`, { resendDelivery: {} })
  assert.partialDeepStrictEqual((await resend()).body.inventory, { status: 'Waiting', attempts: 0 })
  await settled('Delivered')
  const [first, second] = receiver.requestsOf(name)
  assert.notEqual(first?.key, second?.key)
  assertFailure(await resend(), { status: 409, code: 'SYS.1005', details: 'is Delivered; only one that is Failed' })
  const missing = await operator.put(`/v1/sns/deliveries/${'f'.repeat(32)}/actions`, { resendDelivery: {} })
  assertFailure(missing, { status: 404, code: 'SYS.1003' })
})

test('a message to an address that the guard refuses fails without a connection', async (t) => {
  const guarded = await TestServer.start(t, { deliveryLimits: quick })
  const { platform, settled, update, name } = await chat('guarded', [], { on: guarded, url: 'http://localhost:1/x' })
  await platform.send(...numbered(1))
  const [row] = await settled('Failed')
  assert.match(String(row?.reason), /url leads to localhost, that is .*loopback/)
  assertFailure(await update({ url: 'http://127.0.0.1/x' }), { status: 400, code: 'SYS.1007' })
  assert.deepEqual(receiver.requestsOf(name), [])
})

const pauses: Record<string, () => Record<string, string>> = {
  'in seconds': () => ({ 'retry-after': '101' }),
  // one without a Date header
  'until a time': () => ({ 'retry-after': new Date(Date.now() + 101_000).toUTCString(), date: '' }),
}
for (const [written, headers] of Object.entries(pauses))
  test(`a pause that a vendor requires ${written} is kept`, async (t) => {
    const clock = new MovingClock()
    const slow = await TestServer.start(t, { environment, clock, deliveryLimits: quick })
    const limited: ChatAnswer = { status: 429, headers: headers() }
    const { platform, name, deliveries } = await chat(`pause ${written}`.replaceAll(' ', '-'), [limited], { on: slow })
    await platform.send(...numbered(2))
    // the answer is recorded before the clock advances
    const isWritten = async () => (await deliveries()).some(({ attempts }) => Number(attempts) > 0)
    for (let n = 0; n < 1000 && !(await isWritten()); n++) await delay(10)
    clock.advance(80_000)
    await delay(300)
    assert.equal(receiver.requestsOf(name).length, 1, 'neither it nor the next is sent before')
    assert.match(String((await deliveries())[0]?.reason ?? (await deliveries())[1]?.reason), /HTTP 429/)
    clock.advance(60_000)
    await receiver.waitForMessages(name, 2)
    assert.deepEqual(namesIn(receiver.accepted(name)), ['alert-000', 'alert-001'])
  })

const days: { name: string; answer: ChatAnswer; reason: string }[] = [
  { name: 'day', answer: { status: 503 }, reason: 'Slack answered HTTP 503' },
  {
    name: 'day-required',
    answer: { status: 429, headers: { 'retry-after': '86400' } },
    reason: 'Slack answered HTTP 429; it requires a pause of 86400 s, which is longer than the message is kept',
  },
]
for (const { name, answer, reason } of days)
  test(`a message fails after 24 hours, and a late one contains its time: ${name}`, async (t) => {
    const clock = new MovingClock()
    const slow = await TestServer.start(t, { environment, clock, deliveryLimits: { ...quick, retryMs: [hour] } })
    const answers = Array.from({ length: 40 }, () => answer)
    const { platform, deliveries } = await chat(name, answers, { on: slow })
    await platform.send({ name: 'alert-001' })
    const isOver = async () => (await deliveries())[0]?.status === 'Failed'
    for (let n = 1; n < 40 && !(await isOver()); n++) {
      for (let tries = 0; tries < 500 && receiver.requestsOf(name).length < n && !(await isOver()); tries++)
        await delay(10)
      // the answer is recorded before the clock advances
      for (let tries = 0; tries < 500 && Number((await deliveries())[0]?.attempts) < n && !(await isOver()); tries++)
        await delay(5)
      clock.advance(1.2 * hour)
    }
    const [row] = await deliveries()
    assert.partialDeepStrictEqual(row, { status: 'Failed', reason })
    const attempts = receiver.requestsOf(name)
    assert.ok(attempts.length >= 15 && attempts.length <= 24, `${attempts.length} attempts`)
    assert.doesNotMatch(attempts[0]?.body ?? '', /late: this is of/)
    for (const { body } of attempts.slice(1)) assert.match(body, /late: this is of \w{3} \d+, \d{4} .* UTC/)
  })

test('a disabled endpoint receives nothing, and its messages are sent when it is enabled', async () => {
  const { platform, update, deliveries, name } = await chat('disabled', ['silence', { status: 500 }])
  await platform.send(...numbered(1))
  await update({ stateEvent: 'disable' })
  await platform.send({ name: 'alert-777' })
  await delay(700)
  const countBefore = receiver.requestsOf(name).length
  await delay(300)
  assert.equal(receiver.requestsOf(name).length, countBefore)
  assert.equal((await deliveries()).length, 1, 'what happens meanwhile is not kept for it')
  await update({ stateEvent: 'enable' })
  assert.deepEqual(namesIn(await receiver.waitForMessages(name, 1)), ['alert-000'])
})

test('only subscribed endpoints receive a message', async () => {
  const named = await chat('named', [])
  const every = await chat('every', [], { platformUuids: [] })
  const other = await chat('other', [])
  await named.platform.send({ name: 'alert-901' })
  await receiver.waitForMessages('named', 1)
  assert.deepEqual(namesIn(await receiver.waitForMessages('every', 1)), ['alert-901'])
  assert.deepEqual(receiver.requestsOf('other'), [])
  await server.admin.delete(`/v1/zwatch/third-party/platforms/${other.platform.uuid}`)
  await named.platform.send({ name: 'alert-902' })
  await receiver.waitForMessages('every', 2)
  assert.deepEqual(receiver.requestsOf('other'), [], 'an endpoint of a deleted platform does not receive the others')
  await every.update({ stateEvent: 'disable' })
})

test('a long message is sent in parts; a delivered part is not sent again', async () => {
  const { platform, settled, name } = await chat('parts', ['ok', { status: 500 }, 'ok', 'reset'], { type: 'WeCom' })
  const actions = `/v1/zwatch/third-party/platforms/${platform.uuid}/actions`
  const template = '{% for i in (1..280) %}line {{ i }} of a long text about {{ alert.name }}\n{% endfor %}'
  assert.equal((await server.admin.put(actions, { updateThirdpartyPlatform: { template } })).status, 200)
  await platform.send({ name: 'alert-001' })
  const [row] = await settled('Delivered')
  const taken = receiver.requestsOf(name).filter(({ isAccepted }) => isAccepted)
  assert.ok(taken.length > 1)
  assert.equal(new Set(taken.map(({ key }) => key)).size, taken.length)
  assert.deepEqual(
    taken.map(({ key }) => key.split('-').at(-1)),
    taken.map((_, n) => String(n + 1)),
  )
  assert.equal(row?.attempts, 3)
})

test('a change of the endpoint between two parts does not affect the message', async () => {
  const again = Array.from({ length: 1000 }, (): ChatAnswer => ({ status: 503 }))
  const { platform, settled, update, uuid, name } = await chat('middle', ['ok', ...again], { type: 'WeCom' })
  const actions = `/v1/zwatch/third-party/platforms/${platform.uuid}/actions`
  const template = '{% for i in (1..200) %}[{{ i }}] is a line of a long text\n{% endfor %}'
  assert.equal((await server.admin.put(actions, { updateThirdpartyPlatform: { template } })).status, 200)
  await platform.send({ name: 'alert-001' })
  for (let n = 0; n < 500 && receiver.requestsOf(name).length < 2; n++) await delay(5)
  for (let n = 0; n < 10; n++)
    await server.admin.post(`${base}/at-persons`, {
      params: { endpointUuid: uuid, userId: `person${n}`.padEnd(64, 'x') },
    })
  await update({ language: 'zh', atAll: true })
  assert.equal(receiver.accepted(name).length, 1, 'all that while it waits with its second part')
  receiver.webhookUrl('WeCom', name)
  await settled('Delivered')
  const parts = receiver.accepted(name).map(({ body }) => body)
  const lines = parts.flatMap((body) => Array.from(body.matchAll(/\[(\d+)\] is a line/g), (found) => Number(found[1])))
  assert.deepEqual(
    lines,
    Array.from({ length: 200 }, (_, n) => n + 1),
  )
  assert.ok(parts.length > 1 && parts.every((body) => body.includes('[Critical]') && !body.includes('@all')))
  await platform.send({ name: 'alert-002' })
  const [next] = (await receiver.waitForMessages(name, parts.length + 1)).slice(parts.length)
  assert.match(next?.body ?? '', /严重.*@all/)
})

test('stops while a vendor does not answer, and the next process resumes', async (t) => {
  const first = await TestServer.start(t, { environment, deliveryLimits: { ...quick, requestMs: 10_000, stopMs: 200 } })
  const { platform, name } = await chat('restart', ['ok', 'silence'], { on: first })
  await platform.send(...numbered(4))
  for (let n = 0; n < 500 && receiver.requestsOf(name).length < 2; n++) await delay(10)
  const began = performance.now()
  await first.app.close()
  assert.ok(performance.now() - began < 6000)
  const second = await TestServer.open(first.environment, { deliveryLimits: quick })
  try {
    await receiver.waitForMessages(name, 4)
    assert.deepEqual(
      namesIn(receiver.accepted(name)),
      numbered(4).map((alert) => alert.name),
    )
  } finally {
    await second.app.close()
  }
})
