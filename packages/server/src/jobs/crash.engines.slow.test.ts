import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ServerProcess, serverEnvironment, startTrialCall, TrialJob, TrialTrace, trialProgram } from '@wharf/testkit'

interface Case {
  /** The point of the job at which its process is killed. */
  killedAt: string
  failAt?: string
  /** The expected effects. */
  effects: string[]
}

const names = ['first', 'second', 'third']
const onBothSides = (effects: string[]): string[] =>
  effects.flatMap((effect) => [`before ${effect}`, `after ${effect}`])
/** Only the effect after which the process was killed, before it was recorded, happens twice. */
const withKill = (effects: string[], killedAt: string): string[] =>
  effects.flatMap((effect) => (killedAt === `after ${effect}` ? [effect, effect] : [effect]))

const runs = names.map((name) => `run ${name}`)
const killedInRun: Case[] = onBothSides(runs).map((killedAt) => ({ killedAt, effects: withKill(runs, killedAt) }))

/** The failed step has no effect of its own and is undone too. */
const killedInUndo: Case[] = runs.flatMap((failAt, at) => {
  const undos = names.slice(0, at + 1).map((name) => `undo ${name}`)
  const all = [...runs.slice(0, at), ...undos.toReversed()]
  return onBothSides(undos).map((killedAt) => ({ killedAt, failAt, effects: withKill(all, killedAt) }))
})

async function startServer(t: TestContext): Promise<ServerProcess> {
  const server = new ServerProcess(await serverEnvironment(t), trialProgram)
  t.after(() => server.kill())
  await server.start()
  return server
}

/** Starts a job that stalls at the kill point; returns the check of its effects afterwards. */
async function startStalledJob(t: TestContext, server: ServerProcess, { killedAt, failAt, effects }: Case) {
  const trace = new TrialTrace(t)
  const script = { trace: trace.file, stallAt: killedAt, ...(failAt === undefined ? {} : { failAt }) }
  const { uuid, token } = await TrialJob.start(server.admin, script)
  await trace.waitForStall()
  return async () => {
    const job = new TrialJob(server.anonymous, `${server.anonymous.url}/v1/api-jobs/${uuid}?token=${token}`)
    const { status, body } = await job.waitForEnd(60_000)
    assert.equal(status, failAt === undefined ? 200 : 503)
    if (failAt === undefined) assert.equal(body.steps, 'first second third')
    else assert.match(body.error?.details ?? '', new RegExp(`^${failAt} fails as scripted`))
    const { state } = await job.seenBy(server.admin).row()
    assert.equal(state, failAt === undefined ? 'Succeeded' : 'Failed')
    assert.deepEqual(trace.lines, effects)
  }
}

/** All of them stall in one server: a restart for each would show the same and take minutes. */
test('a job survives kill -9 of its process', async (t) => {
  const server = await startServer(t)
  const jobs = await Promise.all(
    [...killedInRun, ...killedInUndo].map(async (row) => ({ row, check: await startStalledJob(t, server, row) })),
  )
  await server.kill()
  await server.start()
  for (const { row, check } of jobs)
    await t.test(`${row.killedAt}${row.failAt === undefined ? '' : `, when ${row.failAt} had failed`}`, check)

  await t.test('nothing changes in any of them after another restart', async () => {
    await server.kill()
    await server.start()
    await delay(300)
    for (const { check } of jobs) await check()
  })
})

test('a client whose answer was lost with the server repeats the call and gets the same job', async (t) => {
  const server = await startServer(t)
  const trace = new TrialTrace(t)
  const headers = { 'x-job-uuid': randomUUID().replaceAll('-', '') }
  const script = { trace: trace.file, crashAt: 'after run second' }
  await assert.rejects(startTrialCall(server.admin, script, headers))
  await server.start()
  const answer = await startTrialCall(server.admin, script, headers)
  assert.deepEqual(answer.body, { steps: 'first second third', success: true, error: null })
  assert.deepEqual(trace.lines, ['run first', 'run second', 'run second', 'run third'])
  assert.equal((await server.admin.get('/v1/api-jobs?count=true')).body.total, 1)
})
