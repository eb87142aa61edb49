import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DemoJob,
  DemoTrace,
  demoProgram,
  ServerProcess,
  sampled,
  serverEnvironment,
  startDemoCall,
} from '@wharf/testkit'

interface Case {
  crashAt: string
  failAt?: string
  /** What must have happened in the end. */
  effects: string[]
}

const names = ['first', 'second', 'third']
const onBothSides = (effects: string[]): string[] =>
  effects.flatMap((effect) => [`before ${effect}`, `after ${effect}`])
/** The effect after which the process was killed, before that could be noted, happens twice. No other does. */
const withCrash = (effects: string[], crashAt: string): string[] =>
  effects.flatMap((effect) => (crashAt === `after ${effect}` ? [effect, effect] : [effect]))

const runs = names.map((name) => `run ${name}`)
const killedInRun: Case[] = onBothSides(runs).map((crashAt) => ({ crashAt, effects: withCrash(runs, crashAt) }))

/** The step that fails leaves no effect of its own, and is undone all the same. */
const killedInUndo: Case[] = runs.flatMap((failAt, at) => {
  const undos = names.slice(0, at + 1).map((name) => `undo ${name}`)
  const all = [...runs.slice(0, at), ...undos.toReversed()]
  return onBothSides(undos).map((crashAt) => ({ crashAt, failAt, effects: withCrash(all, crashAt) }))
})

async function startServer(t: TestContext): Promise<ServerProcess> {
  const server = new ServerProcess(await serverEnvironment(t), demoProgram)
  t.after(() => server.kill())
  await server.start()
  return server
}

/** The job kills its server; the next one brings it to its end. */
async function survives(t: TestContext, server: ServerProcess, { crashAt, failAt, effects }: Case) {
  const trace = new DemoTrace(t)
  // nothing happens before the call is answered
  const script = { trace: trace.file, crashAt, holdAt: 'run first', ...(failAt === undefined ? {} : { failAt }) }
  const { uuid, token } = await DemoJob.start(server.admin, script)
  trace.letGo()
  await server.ended()
  await server.start()

  const check = async () => {
    const job = new DemoJob(server.anonymous, `${server.anonymous.url}/v1/api-jobs/${uuid}?token=${token}`)
    const { status, body } = await job.ended()
    assert.equal(status, failAt === undefined ? 200 : 503)
    if (failAt === undefined) assert.equal(body.steps, 'first second third')
    else assert.match(body.error?.details ?? '', new RegExp(`^${failAt} was told to fail`))
    const { state } = await job.seenBy(server.admin).row()
    assert.equal(state, failAt === undefined ? 'Succeeded' : 'Failed')
    assert.deepEqual(trace.lines, effects)
  }
  await check()
  return check
}

/** Servers that die one after the other, a few of them beside each other. */
const lanes = [killedInRun, killedInUndo.slice(0, 6), killedInUndo.slice(6)].map(sampled)

suite('a job survives kill -9 of its process', { concurrency: lanes.length }, () => {
  for (const lane of lanes)
    test(`${lane[0]?.crashAt} … ${lane.at(-1)?.crashAt}`, async (t) => {
      const server = await startServer(t)
      const checks: (() => Promise<void>)[] = []
      for (const each of lane)
        await t.test(
          `${each.crashAt}${each.failAt === undefined ? '' : `, when ${each.failAt} had failed`}`,
          async () => {
            checks.push(await survives(t, server, each))
          },
        )
      await t.test('nothing happens to any of them in another life of the server', async () => {
        await server.kill()
        await server.start()
        await delay(300)
        for (const check of checks) await check()
      })
    })
})

test('a client whose answer was lost with the server asks again and gets the same job', async (t) => {
  const server = await startServer(t)
  const trace = new DemoTrace(t)
  const headers = { 'x-job-uuid': randomUUID().replaceAll('-', '') }
  const script = { trace: trace.file, crashAt: 'after run second' }
  await assert.rejects(startDemoCall(server.admin, script, headers))
  await server.start()
  const answer = await startDemoCall(server.admin, script, headers)
  assert.deepEqual(answer.body, { steps: 'first second third', success: true, error: null })
  assert.deepEqual(trace.lines, ['run first', 'run second', 'run second', 'run third'])
  assert.equal((await server.admin.get('/v1/api-jobs?count=true')).body.total, 1)
})
