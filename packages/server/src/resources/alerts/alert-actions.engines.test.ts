import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AlertPlatformFixture, assertFailure, ChatReceiver, MovingClock, TestServer } from '@wharf/testkit'
import { AlertService } from './service.ts'

const clock = new MovingClock()
const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
const server = await TestServer.start({ after }, { clock, environment, deliveryLimits: { pollMs: 50 } })
const receiver = await ChatReceiver.start({ after })
const operator = await server.signIn('operator', 'olga')
const reader = await server.signIn('reader')
const hour = 3_600_000
const base = '/v1/zwatch/third-party/alerts'

type Fields = Record<string, unknown>

const fromNow = (ms: number): string => new Date(clock.now() + ms).toISOString()

/** A platform with a chat that receives its alerts. */
async function setUp(name: string) {
  const platform = await AlertPlatformFixture.create(server, name)
  const url = receiver.webhookUrl('Slack', name)
  const params = { name, type: 'Slack', url, platformUuids: [platform.uuid] }
  assert.equal((await server.admin.post('/v1/sns/application-endpoints/chatapp', { params })).status, 200)
  const alerts = async (alert: string): Promise<(Fields & { uuid: string })[]> => {
    const q = `q=platformUuid=${platform.uuid}&q=name=${alert}&sort=startsAt`
    return (await reader.get(`${base}?${q}`)).body.inventories as (Fields & { uuid: string })[]
  }
  const find = async (alert: string, status = 'firing') => {
    const found = (await alerts(alert)).findLast((one) => one.status === status)
    if (found === undefined) throw new Error(`${alert} is not stored`)
    return found
  }
  const act = async (alert: string, action: Fields, status = 'firing') =>
    operator.put(`${base}/${(await find(alert, status)).uuid}/actions`, action)
  /** The headings of all messages, once there are so many. */
  const received = async (count: number): Promise<string[]> => {
    await receiver.waitForMessages(name, count)
    return receiver.accepted(name).map(({ body }) => /\[(\w+)\] [\w-]+/.exec(body)?.[0].toLowerCase() ?? body)
  }
  return { platform, alerts, find, act, received }
}

const silence = (ms = hour) => ({ silenceAlert: { until: fromNow(ms), comment: 'maintenance' } })

test('a silenced alert sends nothing until its silence ends, while others do', async () => {
  const { platform, act, find, received } = await setUp('silenced')
  await platform.send({ name: 'noisy' }, { name: 'other' })
  await received(2)
  const silenced = await act('noisy', silence())
  assert.equal(silenced.status, 200, silenced.text)
  assert.partialDeepStrictEqual(silenced.body.inventory, { silencedBy: 'olga', silenceComment: 'maintenance' })
  await platform.send({ name: 'noisy', status: 'resolved' }, { name: 'other', status: 'resolved' })
  await platform.send({ name: 'noisy', startsAt: '2026-11-05T03:00:00Z' }, { name: 'third' })
  const names = ['[critical] noisy', '[critical] other', '[resolved] other', '[critical] third']
  assert.deepEqual(await received(4), names)
  // the records exist, each with the silence of its fingerprint
  assert.partialDeepStrictEqual(await find('noisy', 'resolved'), { silencedBy: 'olga' })
  assert.partialDeepStrictEqual(await find('noisy'), { silenceComment: 'maintenance' })

  clock.advance(hour)
  // Alertmanager repeats what still fires: its message was withheld, those of the others were sent
  await platform.send({ name: 'noisy', startsAt: '2026-11-05T03:00:00Z' }, { name: 'third' })
  await platform.send({ name: 'noisy', startsAt: '2026-11-05T03:00:00Z' }, { name: 'last' })
  assert.deepEqual((await received(6)).slice(4), ['[critical] noisy', '[critical] last'])
})

test('an acknowledged alert sends no message until it is resolved, which is reported', async () => {
  const { platform, act, find, received } = await setUp('acknowledged')
  await platform.send({ name: 'down' })
  await received(1)
  const acknowledged = await act('down', { acknowledgeAlert: { comment: 'on it' } })
  assert.equal(acknowledged.status, 200, acknowledged.text)
  assert.partialDeepStrictEqual(acknowledged.body.inventory, { acknowledgedBy: 'olga', acknowledgeComment: 'on it' })
  await platform.send({ name: 'down', startsAt: '2026-11-05T04:00:00Z' })
  await platform.send({ name: 'down', startsAt: '2026-11-05T04:00:00Z', status: 'resolved' })
  await platform.send({ name: 'down', startsAt: '2026-11-05T05:00:00Z' })
  assert.deepEqual(await received(3), ['[critical] down', '[resolved] down', '[critical] down'])
  assert.partialDeepStrictEqual(await find('down', 'resolved'), { acknowledgedBy: 'olga' })
  assert.partialDeepStrictEqual(await find('down'), { acknowledgedBy: null, acknowledgedDate: null })
})

test('an alert that started and ended without a message, or whose end is silenced, is not reported as resolved', async () => {
  const { platform, act, received } = await setUp('withheld')
  await platform.send({ name: 'brief' })
  await received(1)
  assert.equal((await act('brief', silence())).status, 200)
  const later = { name: 'brief', startsAt: '2026-11-05T03:00:00Z' }
  await platform.send(later)
  clock.advance(hour)
  await platform.send({ ...later, status: 'resolved' })
  await platform.send({ name: 'brief', status: 'resolved' }, { name: 'last' })
  assert.deepEqual(await received(3), ['[critical] brief', '[resolved] brief', '[critical] last'])
})

test('an acknowledgement of an older record applies to the alert', async () => {
  const { platform, alerts, received } = await setUp('older')
  await platform.send({ name: 'down' }, { name: 'down', startsAt: '2026-11-05T04:00:00Z' })
  await received(2)
  const [older] = await alerts('down')
  const acknowledged = await operator.put(`${base}/${older?.uuid}/actions`, { acknowledgeAlert: {} })
  assert.partialDeepStrictEqual(acknowledged.body.inventory, { uuid: older?.uuid, acknowledgedBy: 'olga' })
  assert.deepEqual(
    (await alerts('down')).map(({ acknowledgedBy }) => acknowledgedBy),
    ['olga', 'olga'],
  )
  await platform.send({ name: 'down', startsAt: '2026-11-05T05:00:00Z' }, { name: 'other' })
  assert.deepEqual((await received(3)).slice(2), ['[critical] other'])
})

test('a silence publishes every record of the alert that is firing', async () => {
  const { platform, act, alerts } = await setUp('published')
  const ended = { name: 'twice', startsAt: '2026-11-05T03:00:00Z' }
  await platform.send({ name: 'twice' }, ended, { ...ended, status: 'resolved' }, { name: 'other' })
  await platform.send({ name: 'twice', startsAt: '2026-11-05T05:00:00Z' })
  await act('twice', silence())
  await act('twice', { unsilenceAlert: {} })
  const { database } = server.app.foundation
  const updates = async ({ uuid }: { uuid: string }) => {
    const events = database.read
      .selectFrom('events')
      .select('type')
      .where('uuid', '=', uuid)
      .where('type', '=', 'Updated')
    return (await events.execute()).length
  }
  const [first, middle, end, last] = await alerts('twice')
  const counts = await Promise.all([first, middle, end, last].map((one) => updates(one as { uuid: string })))
  assert.deepEqual(counts, [2, 0, 0, 2])
})

test('unsilence ends a silence, and the record keeps who silenced it', async () => {
  const { platform, act, find, received } = await setUp('unsilenced')
  await platform.send({ name: 'short' })
  assert.equal((await act('short', silence())).status, 200)
  assert.equal((await act('short', { unsilenceAlert: {} })).status, 200)
  await platform.send({ name: 'short', status: 'resolved' })
  await received(2)
  assert.partialDeepStrictEqual(await find('short'), { silencedBy: 'olga', silenceComment: 'maintenance' })
  const again = await act('short', { unsilenceAlert: {} })
  assertFailure(again, { status: 409, code: 'SYS.1005', details: 'alert short is not silenced' })
})

test('silenced alerts can be queried, and each action has an event', async () => {
  const { platform, act, find } = await setUp('queried')
  await platform.send({ name: 'one' }, { name: 'two' })
  await act('one', silence(2 * hour))
  const q = [`platformUuid=${platform.uuid}`, `silencedUntil>${fromNow(hour)}`]
  const found = await reader.get(`${base}?${q.map((one) => `q=${encodeURIComponent(one)}`).join('&')}`)
  assert.deepEqual(
    (found.body.inventories as Fields[]).map(({ name }) => name),
    ['one'],
  )
  const { database } = server.app.foundation
  const events = await database.read
    .selectFrom('events')
    .select('type')
    .where('uuid', '=', (await find('one')).uuid)
    .orderBy('sequence')
    .execute()
  assert.deepEqual(
    events.map(({ type }) => type),
    ['Created', 'Updated'],
  )
})

test('refused actions change nothing', async () => {
  const { platform, act, alerts, find } = await setUp('refused')
  await platform.send({ name: 'gone' }, { name: 'gone', status: 'resolved' })
  const before = await alerts('gone')
  const rows = [
    [{ acknowledgeAlert: {} }, 409, 'SYS.1005', 'alert gone is resolved; only a firing alert can be acknowledged'],
    [{ unsilenceAlert: {} }, 409, 'SYS.1005', 'alert gone is not silenced'],
    [{ silenceAlert: { until: fromNow(hour) } }, 400, 'SYS.1007', 'silenceAlert.comment'],
    [{ silenceAlert: { comment: 'x' } }, 400, 'SYS.1007', 'silenceAlert.until'],
    [{ silenceAlert: { until: 'soon', comment: 'x' } }, 400, 'SYS.1007', 'silenceAlert.until must be a time such as'],
    [
      { silenceAlert: { until: fromNow(0), comment: 'x' } },
      400,
      'SYS.1007',
      'silenceAlert.until must be in the future',
    ],
    [silence(91 * 24 * hour), 400, 'SYS.1007', 'silenceAlert.until must be at most 90 days from now'],
  ] as const
  for (const [action, status, code, details] of rows)
    assertFailure(await act('gone', action), { status, code, details })
  const { uuid } = await find('gone')
  assertFailure(await reader.put(`${base}/${uuid}/actions`, silence()), { status: 403, code: 'ID.1002' })
  const unknown = await operator.put(`${base}/${'f'.repeat(32)}/actions`, silence())
  assertFailure(unknown, { status: 404, code: 'SYS.1003' })
  assert.deepEqual(await alerts('gone'), before)
})

test('old silences, and those of deleted platforms, are removed', async () => {
  const { platform, act } = await setUp('removed')
  await platform.send({ name: 'old' }, { name: 'new' })
  for (const name of ['old', 'new']) assert.equal((await act(name, silence())).status, 200)
  const { database } = server.app.foundation
  const comments = async (): Promise<string[]> => {
    const ofPlatform = database.read.selectFrom('alertSilences').where('platformUuid', '=', platform.uuid)
    return (await ofPlatform.select('silenceComment').execute()).map(({ silenceComment }) => silenceComment)
  }
  const change = { silencedUntil: clock.now() - 91 * 24 * hour, silenceComment: 'long ago' }
  const fingerprint = Buffer.from('old').toString('hex')
  await database.transaction((tx) =>
    tx.updateTable('alertSilences').set(change).where('fingerprint', '=', fingerprint).execute(),
  )
  assert.deepEqual((await comments()).toSorted(), ['long ago', 'maintenance'])
  await new AlertService(server.app.foundation).removeOld()
  assert.deepEqual(await comments(), ['maintenance'])
  assert.equal((await operator.delete(`/v1/zwatch/third-party/platforms/${platform.uuid}`)).status, 200)
  assert.deepEqual(await comments(), [])
})

test('the histogram counts arrivals by severity in every interval, for the alerts that a query finds', async () => {
  const { platform } = await setUp('counted')
  const started = clock.now()
  await platform.send(
    { name: 'a' },
    { name: 'b', labels: { severity: 'PAGE' } },
    { name: 'c', labels: { severity: '' } },
  )
  clock.advance(hour)
  await platform.send({ name: 'd', labels: { severity: 'none' } }, { name: 'a', status: 'resolved' })
  const from = new Date(started).toISOString()
  const to = new Date(started + 3 * hour).toISOString()
  const read = async (q: string) =>
    reader.get(`${base}/histogram?q=platformUuid=${platform.uuid}${q}&from=${from}&to=${to}&buckets=3`)
  const answer = await read('')
  assert.equal(answer.status, 200, answer.text)
  const counts = ({ body }: { body: Fields }) =>
    (body.buckets as Record<string, number>[]).map(({ critical, warning, info, resolved }) => [
      critical,
      warning,
      info,
      resolved,
    ])
  assert.equal(answer.body.intervalSeconds, 3600)
  assert.deepEqual(counts(answer), [
    [2, 1, 0, 0],
    [0, 0, 1, 1],
    [0, 0, 0, 0],
  ])
  assert.deepEqual(counts(await read('&q=status=resolved')), [
    [0, 0, 0, 0],
    [0, 0, 0, 1],
    [0, 0, 0, 0],
  ])
  assertFailure(await read('&q=nope=1'), { status: 400, code: 'SYS.1007', details: 'no field "nope"' })
  assertFailure(await reader.get(`${base}/histogram?from=${to}&to=${from}`), { status: 400, code: 'SYS.1007' })
  assertFailure(await reader.get(`${base}/histogram?buckets=301`), { status: 400, code: 'SYS.1007' })
  const whole = await reader.get(`${base}/histogram`)
  assert.equal((whole.body.buckets as unknown[]).length, 48)
})
