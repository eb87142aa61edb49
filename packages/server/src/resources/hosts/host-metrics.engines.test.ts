import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFailure, MovingClock, TestServer } from '@wharf/testkit'
import { HostMetrics } from './host-metrics.ts'
import { openLocalDriver } from './local-driver.ts'

const clock = new MovingClock(Date.parse('2026-11-05T12:00:00Z'))
const server = await TestServer.start({ after }, { clock })
const { foundation } = server.app
const { database } = foundation
const metrics = new HostMetrics(foundation)
const { hostUuid } = server.bootstrap
const at = `/v1/hosts/${hostUuid}/metrics`
const minute = 60_000
const gibibyte = 2 ** 30

type Point = Record<string, unknown>

const record = (load1: number, memory: { totalCapacity: number; availableCapacity: number } | null = null) =>
  database.transaction((tx) =>
    metrics.record(tx, hostUuid, {
      disk: { totalCapacity: 10 * gibibyte, availableCapacity: 4 * gibibyte },
      packagesDisk: null,
      load1,
      processors: 2,
      memory,
    }),
  )

const read = async (query = '') => {
  const answer = await server.admin.get(at + query)
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { points: Point[]; intervalSeconds: number; from: string; to: string }
}

test('a host without samples has no points, for readers too', async () => {
  const reader = await server.signIn('reader')
  await database.transaction((tx) => tx.deleteFrom('hostSamples').execute())
  assert.deepEqual((await reader.get(at)).body.points, [])
})

test('one sample per five minutes is stored, and unknown values are null', async () => {
  await record(0.525, { totalCapacity: 8 * gibibyte, availableCapacity: 6 * gibibyte })
  clock.advance(4 * minute)
  await record(9)
  clock.advance(minute)
  await record(1.5)
  clock.advance(minute)
  const { points, intervalSeconds, from, to } = await read()
  assert.deepEqual([intervalSeconds, from, to], [300, 'Nov 5, 2026 11:06:00 AM', 'Nov 5, 2026 12:06:00 PM'])
  const disk = { diskUsedBytes: 6 * gibibyte, diskTotalBytes: 10 * gibibyte }
  const none = { packagesDiskUsedBytes: null, packagesDiskTotalBytes: null }
  assert.deepEqual(points, [
    {
      time: 'Nov 5, 2026 12:00:00 PM',
      load1: 0.53,
      processors: 2,
      memoryUsedBytes: 2 * gibibyte,
      memoryTotalBytes: 8 * gibibyte,
      ...disk,
      ...none,
    },
    {
      time: 'Nov 5, 2026 12:05:00 PM',
      load1: 1.5,
      processors: 2,
      memoryUsedBytes: null,
      memoryTotalBytes: null,
      ...disk,
      ...none,
    },
  ])
})

test('a period is chosen by from and to, and a long one has averages', async () => {
  const only = await read('?from=2026-11-05T12:05:00Z&to=2026-11-05T12:06:00Z')
  assert.deepEqual(
    only.points.map(({ load1 }) => load1),
    [1.5],
  )
  const week = await read('?from=2026-10-30')
  assert.ok(week.intervalSeconds > 300)
  assert.deepEqual(
    week.points.map(({ load1 }) => load1),
    [1.02],
  )
})

test('samples are kept for seven days', async () => {
  clock.advance(7 * 86_400_000 - 2 * minute)
  await record(2)
  await metrics.removeOld()
  const loads = (await read('?from=2026-11-01')).points.map(({ load1 }) => load1)
  assert.deepEqual(loads, [1.5, 2])
})

test('a deleted host takes its samples with it', async () => {
  const params = { name: 'second', driver: 'local', address: '127.0.0.1', username: '' }
  const added = await server.admin.post('/v1/hosts', { params: { ...params, username: 'x' } })
  assert.equal(added.status, 200, added.text)
  const { uuid } = added.body.inventory as { uuid: string }
  const measurement = await openLocalDriver().measure(null, { signal: AbortSignal.timeout(10_000) })
  await database.transaction((tx) => metrics.record(tx, uuid, measurement))
  assert.equal((await server.admin.delete(`/v1/hosts/${uuid}`)).status, 200)
  assert.deepEqual(await database.read.selectFrom('hostSamples').selectAll().where('hostUuid', '=', uuid).execute(), [])
  assertFailure(await server.admin.get(`/v1/hosts/${uuid}/metrics`), { status: 404, code: 'SYS.1003' })
})

test('reconnecting a host measures it', async () => {
  clock.advance(10 * minute)
  const before = (await read()).points.length
  assert.equal((await server.admin.put(`/v1/hosts/${hostUuid}/actions`, { reconnectHost: {} })).status, 200)
  const { points } = await read()
  assert.equal(points.length, before + 1)
  const last = points.at(-1)
  assert.ok(Number(last?.memoryTotalBytes) > Number(last?.memoryUsedBytes))
  assert.ok(Number(last?.packagesDiskTotalBytes) > 0)
})

for (const [query, details] of [
  ['from=yesterday', 'from must be a time such as'],
  ['from=2026-11-06&to=2026-11-05', 'from must be earlier than to'],
  ['limit=1', 'unknown field "limit"'],
])
  test(`refuses ${query}`, async () =>
    assertFailure(await server.admin.get(`${at}?${query}`), {
      status: 400,
      code: 'SYS.1007',
      details: String(details),
    }))
