import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { BoundedThread, type ThreadOverrun } from './bounded-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-thread-'))
const script = join(folder, 'worker.ts')
writeFileSync(
  script,
  `import { workerData } from 'node:worker_threads'
import { serveTasks } from ${JSON.stringify(new URL('./bounded-thread-worker.ts', import.meta.url).href)}
let tasks = 0
serveTasks((task) => {
  tasks++
  if (task === 'fail') throw new Error('not this')
  if (task === 'spin') for (;;);
  if (task === 'fill') for (const all = [];;) all.push(new Array(1e6).fill({}))
  if (task === 'exit') process.exit(1)
  return [workerData, tasks, Object.keys(process.env).length]
})`,
)
const limits = { cpuMs: 100, wallMs: 10_000, heapMegabytes: 32 }
const thread = new BoundedThread<string, [string, number, number]>(pathToFileURL(script), limits, 'data')
after(async () => {
  await thread.close()
  rmSync(folder, { recursive: true })
})

const exceeds = (limit: string) => (error: unknown) => (error as ThreadOverrun).limit === limit

test('tasks share one thread, which has its data and no environment', async () => {
  await thread.ready()
  assert.deepEqual(await Promise.all([thread.run('a'), thread.run('b')]), [
    ['data', 1, 0],
    ['data', 2, 0],
  ])
})

test('a task that throws does not end the thread', async () => {
  await assert.rejects(thread.run('fail'), { message: 'not this' })
  assert.deepEqual(await thread.run('a'), ['data', 4, 0])
})

for (const [task, refused] of [
  ['spin', exceeds('time')],
  ['exit', /has ended/],
] as const)
  test(`the task ${task} ends its thread, and the next task starts another`, async () => {
    const [failing, next] = [thread.run(task), thread.run('a')]
    await assert.rejects(failing, refused)
    assert.deepEqual(await next, ['data', 1, 0])
  })

test('a task that fills the memory of its thread ends it', async (t) => {
  const patient = new BoundedThread<string, unknown>(pathToFileURL(script), {
    ...limits,
    cpuMs: 60_000,
    wallMs: 60_000,
  })
  t.after(() => patient.close())
  await assert.rejects(patient.run('fill'), exceeds('memory'))
})

test('a task beyond its time limit is ended, even when it uses no CPU', async (t) => {
  const sleeping = join(folder, 'sleeping.ts')
  writeFileSync(
    sleeping,
    `import { serveTasks } from ${JSON.stringify(new URL('./bounded-thread-worker.ts', import.meta.url).href)}
serveTasks(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))`,
  )
  const other = new BoundedThread<string, string>(pathToFileURL(sleeping), { ...limits, wallMs: 50 })
  t.after(() => other.close())
  await assert.rejects(other.run('wait'), exceeds('time'))
})

test('closing fails the running task', async () => {
  const running = thread.run('spin')
  const refused = assert.rejects(running, /closed/)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await thread.close()
  await refused
})
