import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTrial, TestServer, type TrialScript, TrialTrace, trialOperations } from '@wharf/testkit'
import { WharfError } from '../error.ts'
import { Wharf } from '../wharf.ts'
import type { JobStatus } from './job-status.ts'

const server = await TestServer.start({ after }, { extend: trialOperations })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const accessKey = { id, secret }

const noEvents =
  (instead: (signal: AbortSignal) => Promise<Response>): typeof fetch =>
  (input, init) =>
    new URL(String(input)).pathname.endsWith('/events') && init?.signal ? instead(init.signal) : fetch(input, init)

/** How an end is heard of: by events, or where they cannot be had by looking. */
const ways: Record<string, typeof fetch> = {
  'with events': fetch,
  'without events': noEvents(() => Promise.reject(new TypeError('fetch failed'))),
  'when events do not answer': noEvents(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ),
  'when a proxy keeps events to itself': noEvents(async (signal) => {
    const start = (stream: ReadableStreamDefaultController): void =>
      signal.addEventListener('abort', () => stream.error(signal.reason))
    return new Response(new ReadableStream({ start }))
  }),
}

const scriptOf = (more: Partial<TrialScript> = {}) => {
  const trace = new TrialTrace({ after })
  return { trace, script: JSON.stringify({ trace: trace.file, ...more }) }
}

for (const [way, fetch] of Object.entries(ways)) {
  const wharf = new Wharf({ url: server.url, accessKey, fetch })

  test(`${way}, a call waits for the answer of its job and tells how far it is`, async () => {
    const told: JobStatus[] = []
    const lines: string[] = []
    const { script } = scriptOf({ stepMs: 300 })
    const answer = await wharf.call(
      startTrial,
      { script },
      { onProgress: (status) => told.push(status), onLog: (line) => lines.push(line) },
    )
    assert.deepEqual(answer, { steps: 'first second third' })
    assert.ok(told.length >= 2, JSON.stringify(told))
    const progress = told.map((status) => status.progress ?? 0)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    assert.ok(lines.includes('run first') && lines.includes('run third'), lines.join('\n'))
  })

  test(`${way}, the failure of a job carries its uuid and code`, async () => {
    const { script } = scriptOf({ failAt: 'run second' })
    const error = await wharf.call(startTrial, { script }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof WharfError)
    assert.deepEqual([error.code, error.status], ['SYS.1016', 503])
    assert.match(error.jobUuid ?? '', /^[0-9a-f]{32}$/)
    assert.match(error.details, /run second was told to fail/)
  })

  test(`${way}, many jobs are waited for at once`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => wharf.call(startTrial, { script: scriptOf({ stepMs: 50 }).script })),
    )
    assert.deepEqual(new Set(answers.map(({ steps }) => steps)), new Set(['first second third']))
  })
}

const wharf = new Wharf({ url: server.url, accessKey })

async function started(more: Partial<TrialScript> = {}) {
  const { script, trace } = scriptOf(more)
  const { job } = await wharf.start(startTrial, { script })
  return { job: job ?? assert.fail('there is a job'), trace }
}

test('start does not wait, and the handle tells the rest', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const look = await job.look()
  assert.ok('running' in look && look.running.uuid === job.uuid)
  const waiting = job.wait()
  trace.letGo()
  assert.deepEqual(await waiting, { steps: 'first second third' })
  assert.deepEqual(await job.look(), { answer: { steps: 'first second third' } })
})

test('a job that was started elsewhere is found by its uuid', async () => {
  const { job } = await started()
  assert.deepEqual(await wharf.job(job.uuid).wait(), { steps: 'first second third' })
})

test('the log is read as far as it is, or followed to the end', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const lines: string[] = []
  for await (const line of job.log({ follow: true })) {
    lines.push(line)
    if (line === 'run second') trace.letGo()
  }
  assert.ok(lines.includes('run third'))
  assert.deepEqual(await Array.fromAsync(job.log()), lines)
})

test('an abort ends the waiting and not the job', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const controller = new AbortController()
  const waiting = job.wait({ signal: controller.signal })
  setTimeout(() => controller.abort(), 50)
  await assert.rejects(waiting, { name: 'AbortError' })
  trace.letGo()
  assert.deepEqual(await job.wait(), { steps: 'first second third' })
})

test('with cancelOnAbort the job is cancelled and undone', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const controller = new AbortController()
  const waiting = job.wait({ signal: controller.signal, cancelOnAbort: true })
  setTimeout(() => controller.abort(), 50)
  await assert.rejects(waiting, { name: 'AbortError' })
  await assert.rejects(job.wait(), { code: 'SYS.1017', jobUuid: job.uuid })
  assert.deepEqual(trace.lines, ['run first', 'undo second', 'undo first'])
})

test('a job that is cancelled says so to those who wait', async () => {
  const { job } = await started({ holdAt: 'run second' })
  const waiting = job.wait()
  await job.cancel()
  await assert.rejects(waiting, { code: 'SYS.1017' })
})

const pages: Record<string, () => Response> = {
  'a page that is not there': () => new Response('<h1>nope</h1>', { status: 404 }),
  'a way to sign in elsewhere': () => new Response(null, { status: 302, headers: { location: 'https://sso.example' } }),
  'a form to sign in': () => new Response('<form>', { headers: { 'content-type': 'text/html' } }),
}
test('answers of no Wharf server end the waiting after a few looks', async () => {
  const waits = Object.entries(pages).map(async ([what, page]) => {
    let looks = 0
    const elsewhere = new Wharf({
      url: 'http://wharf.example',
      session: '0'.repeat(32),
      fetch: async (input) => {
        if (!String(input).endsWith('/events')) looks++
        return page()
      },
    })
    const waiting = elsewhere.job('0'.repeat(32)).wait()
    await assert.rejects(waiting, { name: 'ConnectionError', message: /no answer of a Wharf server/ }, what)
    assert.ok(looks >= 2 && looks <= 6, `${what}: ${looks} looks`)
  })
  await Promise.all(waits)
})

test('a server that is away is looked for with pauses in between', async () => {
  let looks = 0
  const away = new Wharf({
    url: 'http://wharf.example',
    retry: { tries: 1 },
    fetch: async (input) => {
      if (!String(input).endsWith('/events')) looks++
      throw new TypeError('fetch failed')
    },
  })
  await assert.rejects(away.job('0'.repeat(32)).wait({ signal: AbortSignal.timeout(1000) }), { name: 'TimeoutError' })
  assert.ok(looks >= 2 && looks <= 4, `${looks} looks`)
})

test('the time that a job may take can be said', async () => {
  const { script } = scriptOf({ holdAt: 'run second' })
  await assert.rejects(wharf.call(startTrial, { script }, { jobTimeoutSeconds: 1 }), { code: 'SYS.1001' })
})
