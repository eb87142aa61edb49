import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  ServerProcess,
  serverEnvironment,
  TrialJob,
  TrialTrace,
  testEngine,
  testOnce,
  trialProgram,
} from '@wharf/testkit'
import pg from 'pg'

/** SQLite belongs to one process; a test below shows that a second one cannot start. */
const onSharedDatabase = testEngine === 'postgres' ? test : () => {}
const newUuid = () => randomUUID().replaceAll('-', '')

/** Two nodes on one database, ready. */
async function twoNodes(t: TestContext, limits: object): Promise<[ServerProcess, ServerProcess]> {
  const environment = { ...(await serverEnvironment(t)), TRIAL_JOB_LIMITS: JSON.stringify(limits) }
  const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const first = new ServerProcess(environment, trialProgram)
  const second = new ServerProcess({ ...environment, WHARF_DATA: folder }, trialProgram)
  t.after(() => Promise.all([first.kill(), second.kill()]))
  await first.start()
  await second.start()
  return [first, second]
}

const countOf = (lines: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}

onSharedDatabase('two processes on one database run each of 200 jobs once', async (t) => {
  const [first, second] = await twoNodes(t, { maxRunning: 8, claimMs: 20 })
  const trace = new TrialTrace(t)
  const script = { trace: trace.file, stepMs: 5, recordPid: true }
  const start = () => TrialJob.start(first.admin, script, { headers: { 'x-job-uuid': newUuid() } })
  const jobs: TrialJob[] = []
  for (let batch = 0; batch < 10; batch++) jobs.push(...(await Promise.all(Array.from({ length: 20 }, start))))
  for (const job of jobs) assert.equal((await job.waitForEnd(30_000)).status, 200)
  const withoutPid = trace.lines.map((line) => line.replace(/ by \d+$/, ''))
  assert.deepEqual(
    Object.fromEntries(countOf(withoutPid)),
    Object.fromEntries(['first', 'second', 'third'].map((name) => [`run ${name}`, 200])),
  )
  const shares = countOf(trace.lines.map((line) => line.split(' by ')[1] ?? ''))
  assert.deepEqual([...shares.keys()].sort(), [first.pid, second.pid].map(String).sort(), 'both took part')
})

onSharedDatabase('a suspended owner that resumes is refused, and its job is completed by another', async (t) => {
  const [first, second] = await twoNodes(t, { leaseMs: 800, renewMs: 200, claimMs: 100, stopGraceMs: 5000 })
  const trace = new TrialTrace(t)
  const script = { trace: trace.file, holdAt: 'run second', ignoresSignal: true, write: true, recordPid: true }
  const job = (await TrialJob.start(first.admin, script)).seenBy(second.adminOf(first))
  const suspendedPid = first.pid
  await job.waitFor('currentStep', 'second')
  process.kill(suspendedPid, 'SIGSTOP')
  trace.release()
  assert.equal((await job.waitForEnd(15_000)).status, 200)
  const before = { row: await job.row(), log: await job.log(), written: await readWritten(first, job) }

  process.kill(suspendedPid, 'SIGCONT')
  await trace.waitForLine(`refused run second by ${suspendedPid}`)
  await delay(500)
  assert.deepEqual({ row: await job.row(), log: await job.log(), written: await readWritten(first, job) }, before)
  const { pid } = second
  assert.deepEqual(before.written, [`run first by ${suspendedPid}`, `run second by ${pid}`, `run third by ${pid}`])
  assert.deepEqual(trace.lines, [
    `run first by ${suspendedPid}`,
    `run second by ${pid}`,
    `run third by ${pid}`,
    `refused run second by ${suspendedPid}`,
  ])
})

/** The settings that the steps of a job wrote, with the id of their process. */
async function readWritten({ environment }: ServerProcess, { uuid }: TrialJob): Promise<string[]> {
  const client = new pg.Client({ connectionString: environment.WHARF_DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(`select name from settings where name like 'demo ${uuid} %' order by name`)
  await client.end()
  return rows.map(({ name }) => name.slice(`demo ${uuid} `.length))
}

testOnce('a second process does not start on the data folder of a suspended one', async (t) => {
  const environment = await serverEnvironment(t)
  const first = new ServerProcess(environment, trialProgram)
  const second = new ServerProcess(environment, trialProgram)
  t.after(() => Promise.all([first.kill(), second.kill()]))
  await first.start()
  process.kill(first.pid, 'SIGSTOP')
  await assert.rejects(second.start(), /works in the data folder/)
  process.kill(first.pid, 'SIGCONT')
  assert.equal((await first.admin.get('/v1/tags')).status, 200)
  await first.kill()
  await second.start()
})

// on PostgreSQL: crash.engines.slow.test.ts
testOnce('a server that stops releases its jobs, and they resume at their step at the next start', async (t) => {
  const trace = new TrialTrace(t)
  const server = new ServerProcess(await serverEnvironment(t), trialProgram)
  t.after(() => server.kill())
  await server.start()
  const running = await TrialJob.start(server.admin, { trace: trace.file, holdAt: 'run second' })
  const undoTrace = new TrialTrace(t)
  const undoing = await TrialJob.start(server.admin, {
    trace: undoTrace.file,
    failAt: 'run second',
    holdAt: 'undo first',
  })
  await running.waitFor('currentStep', 'second')
  await undoTrace.waitForLine('undo second')
  await undoing.waitFor('currentStep', 'first')
  const startedAt = performance.now()
  assert.equal(await server.stop(), 0)
  assert.ok(performance.now() - startedAt < 5000, 'without waiting for the steps')
  assert.deepEqual(trace.lines, ['run first'])

  trace.release()
  undoTrace.release()
  await server.start()
  const ready = performance.now()
  assert.equal((await running.seenBy(server.admin).waitForEnd()).status, 200)
  assert.ok(performance.now() - ready < 5000, 'without waiting for the lease')
  assert.deepEqual(trace.lines, ['run first', 'run second', 'run third'])
  const { body } = await undoing.seenBy(server.admin).waitForEnd()
  assert.match(body.error?.details ?? '', /^run second fails as scripted/)
  assert.deepEqual(undoTrace.lines, ['run first', 'undo second', 'undo first'])
  const log = await running.seenBy(server.admin).log()
  assert.deepEqual(
    log.filter((line) => line.startsWith('step ')),
    ['step first', 'step second', 'step second', 'step third'],
  )
})
