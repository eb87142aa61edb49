import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailure, MovingClock, TestServer, trialOperations } from '@wharf/testkit'

/** name{labels} value */
const sample = (text: string, start: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(start))

test('they are Prometheus text, with calls, jobs, streams and the process', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  await server.admin.get('/v1/hosts')
  await server.anonymous.get('/v1/hosts')
  const answer = await server.anonymous.get('/metrics')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = answer.text
  assert.equal(sample(lines, 'wharf_request_seconds_count{operation="QueryHost",status="200"}')?.split(' ')[1], '1')
  assert.equal(sample(lines, 'wharf_request_seconds_count{operation="QueryHost",status="401"}')?.split(' ')[1], '1')
  assert.equal(sample(lines, 'wharf_jobs_running_here'), 'wharf_jobs_running_here 0')
  assert.equal(sample(lines, 'wharf_streams_open'), 'wharf_streams_open 0')
  assert.ok(sample(lines, 'process_resident_memory_bytes'))
  assert.equal((await fetch(`${new URL(server.url).origin}/metrics`, { method: 'HEAD' })).status, 200)
})

test('an unknown operation adds no series', async (t) => {
  const server = await TestServer.start(t)
  for (let n = 0; n < 20; n++) await server.anonymous.get(`/v1/no-such-thing-${n}?token=${n}`)
  const { text } = await server.anonymous.get('/metrics')
  assert.ok(!text.includes('no-such-thing'))
  assert.equal(sample(text, 'wharf_request_seconds_count{operation="none",status="404"}')?.split(' ')[1], '20')
})

const token = 'a-token-that-is-long-enough'

test('with a token set, they cannot be read without it', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_METRICS_TOKEN: token } })
  const refused = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Basic ${token}`,
    token,
    server.admin.authorization('GET', '/metrics').authorization,
  ]
  for (const authorization of refused) {
    const answer = await server.anonymous.get('/metrics', authorization === undefined ? {} : { authorization })
    assertFailure(answer, { status: 401, code: 'ID.1000' })
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="wharf"')
    assert.ok(!answer.text.includes(token))
  }
  const answer = await server.anonymous.get('/metrics', { authorization: `Bearer ${token}` })
  assert.equal(answer.status, 200)
  assert.ok(!server.logText.includes(token))
  assert.ok(!answer.text.includes(token))
  assert.equal((await server.anonymous.get('/readyz')).status, 200)
})

/** The value of a sample that is there. */
const measured = (text: string, start: string): number => Number(sample(text, start)?.split(' ').at(-1))

test('they contain nodes, jobs, messages, hosts, uploads and the database, each in its unit', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const { database, nodeUuid } = server.app.foundation
  const now = Date.now()
  const dated = { createDate: now - 90_000, lastOpDate: now }
  await database.transaction(async (tx) => {
    const away = { uuid: 'd'.repeat(32), hostName: 'away', url: null, version: '1.0.0', status: 'Dead' as const }
    await tx
      .insertInto('managementNodes')
      .values({ ...away, ...dated })
      .execute()
    const endpoint = {
      uuid: 'e'.repeat(32),
      name: 'chat',
      description: null,
      type: 'DingTalk' as const,
      url: 'http://x',
    }
    const sealed = { sealedUrl: new Uint8Array(1), sealedSecret: null, atAll: 0, language: 'en' as const }
    const idle = {
      platformUuids: '[]',
      ownEvents: '[]',
      ownEventTemplate: null,
      state: 'Disabled' as const,
      owner: null,
      leaseUntil: 0,
    }
    await tx
      .insertInto('chatEndpoints')
      .values({ ...endpoint, ...sealed, ...idle, ...dated })
      .execute()
    const message = { endpointUuid: endpoint.uuid, alertUuid: null, title: '', text: '', severity: 'info' as const }
    const noOwnEvent = { ownEvent: null, resourceType: null, resourceUuid: null, ownEventData: null }
    const tried = { attempts: 0, partsDelivered: 0, audience: null, reason: null, nextAttemptDate: null }
    const rest = { ...message, ...noOwnEvent, ...tried, ...dated, giveUpDate: now + 1e6, deliveredDate: null }
    for (const [index, status] of (['Waiting', 'Waiting', 'Failed', 'Delivered'] as const).entries())
      await tx
        .insertInto('deliveries')
        .values({ ...rest, uuid: `${index}`.repeat(32), status, sequence: index })
        .execute()
    const upload = { packageUuid: '0'.repeat(32), managementNodeUuid: nodeUuid, accountUuid: '', userUuid: '' }
    const file = { fileName: 'f', size: null, md5: null, resumeKey: null, uncheckedFrom: null, expiryDate: now + 1e6 }
    for (const [id, state] of [
      ['1', 'Open'],
      ['2', 'Ended'],
    ] as const)
      await tx
        .insertInto('uploads')
        .values({ ...upload, ...file, id: id.repeat(32), state, ...dated })
        .execute()
  })
  const { text } = await server.anonymous.get('/metrics')
  assert.equal(measured(text, 'wharf_nodes{status="Alive"}'), 1)
  assert.equal(measured(text, 'wharf_nodes{status="Dead"}'), 1)
  const age = measured(text, `wharf_node_heartbeat_age_seconds{node="${nodeUuid}"}`)
  assert.ok(age >= 0 && age < 60, `${age}`)
  assert.equal(measured(text, 'wharf_deliveries{status="Waiting"}'), 2)
  assert.equal(measured(text, 'wharf_deliveries{status="Failed"}'), 1)
  assert.ok(measured(text, 'wharf_delivery_oldest_waiting_seconds') >= 90)
  assert.equal(measured(text, 'wharf_job_oldest_waiting_seconds'), 0)
  assert.equal(measured(text, 'wharf_hosts{status="Connected"}'), 1)
  assert.equal(measured(text, 'wharf_uploads_open'), 1)
  assert.ok(measured(text, 'wharf_spool_free_bytes') > 0)
  const lag = measured(text, 'wharf_event_lag_seconds')
  assert.ok(lag >= 0 && lag < 60, `${lag}`)
  assert.match(sample(text, 'wharf_info') ?? '', /^wharf_info\{version="[^"]+"\} 1$/)
  // no round has ended yet: that is not a round of 0 s
  assert.equal(sample(text, 'wharf_host_watch_seconds'), undefined)
  const isPostgres = database.engine === 'postgres'
  assert.equal(measured(text, 'wharf_database_connections{state="limit"}'), isPostgres ? 10 : Number.NaN)
})

test('however often they are read, the database is queried every two seconds', async (t) => {
  const clock = new MovingClock()
  const server = await TestServer.start(t, { clock })
  const deadNodes = async () => measured((await server.anonymous.get('/metrics')).text, 'wharf_nodes{status="Dead"}')
  assert.equal(await deadNodes(), 0)
  await server.app.foundation.database.transaction((tx) =>
    tx
      .insertInto('managementNodes')
      .values({
        uuid: 'd'.repeat(32),
        hostName: '',
        url: null,
        version: '',
        status: 'Dead',
        createDate: 0,
        lastOpDate: 0,
      })
      .execute(),
  )
  assert.equal(await deadNodes(), 0)
  clock.advance(2000)
  assert.equal(await deadNodes(), 1)
})
