import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MovingClock, TestServer, TrialJob, TrialTrace, trialOperations } from '@wharf/testkit'

test('a time in a condition on jobs is in the zone of the server, like the times in answers', async (t) => {
  const clock = new MovingClock(Date.UTC(2026, 10, 5, 1, 2, 3))
  const environment = { WHARF_TIMEZONE: 'Asia/Shanghai' }
  const server = await TestServer.start(t, { clock, environment, extend: trialOperations })
  const { uuid } = await TrialJob.start(server.admin, { trace: new TrialTrace(t).file, stepMs: 10_000 })
  const jobsAt = async (time: string) => {
    const { body } = await server.admin.get(`/v1/api-jobs?q=${encodeURIComponent(`createDate=${time}`)}`)
    return (body.inventories as { uuid: string; createDate: string }[]).map((job) => [job.uuid, job.createDate])
  }
  const shown = 'Nov 5, 2026 9:02:03 AM'
  assert.deepEqual(await jobsAt(shown), [[uuid, shown]], 'a returned time matches a condition')
  assert.deepEqual(await jobsAt('2026-11-05 09:02:03'), [[uuid, shown]])
  assert.deepEqual(await jobsAt('2026-11-05 01:02:03'), [])
})
