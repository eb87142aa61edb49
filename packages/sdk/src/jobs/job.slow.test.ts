import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTrial, TestServer, type TrialScript, TrialTrace, trialOperations } from '@wharf/testkit'
import { WharfError } from '../error.ts'
import { Wharf } from '../wharf.ts'
import type { JobStatus } from './job-status.ts'

const server = await TestServer.start({ after }, { extend: trialOperations })
const { accessKeyId: id, accessKeySecret: secret } = server.bootstrap
const accessKey = { id, secret }

const withoutEvents =
  (respond: (signal: AbortSignal) => Promise<Response>): typeof fetch =>
  (input, init) =>
    new URL(String(input)).pathname.endsWith('/events') && init?.signal ? respond(init.signal) : fetch(input, init)

/** The end of a job is noticed by events, or by polling where events are unavailable. */
const transports: Record<string, typeof fetch> = {
  'with events': fetch,
  'without events': withoutEvents(() => Promise.reject(new TypeError('fetch failed'))),
  'when the event stream does not respond': withoutEvents(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ),
  'when a proxy buffers events': withoutEvents(async (signal) => {
    const start = (stream: ReadableStreamDefaultController): void =>
      signal.addEventListener('abort', () => stream.error(signal.reason))
    return new Response(new ReadableStream({ start }))
  }),
}

const scriptOf = (more: Partial<TrialScript> = {}) => {
  const trace = new TrialTrace({ after })
  return { trace, script: JSON.stringify({ trace: trace.file, ...more }) }
}

for (const [condition, fetch] of Object.entries(transports)) {
  const wharf = new Wharf({ url: server.url, accessKey, fetch })

  test(`${condition}, a call waits for the answer of its job and reports progress`, async () => {
    const reported: JobStatus[] = []
    const lines: string[] = []
    const { script } = scriptOf({ stepMs: 300 })
    const answer = await wharf.call(
      startTrial,
      { script },
      { onProgress: (status) => reported.push(status), onLog: (line) => lines.push(line) },
    )
    assert.deepEqual(answer, { steps: 'first second third' })
    assert.ok(reported.length >= 2, JSON.stringify(reported))
    const progress = reported.map((status) => status.progress ?? 0)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    assert.ok(lines.includes('run first') && lines.includes('run third'), lines.join('\n'))
  })

  test(`${condition}, the failure of a job carries its uuid and code`, async () => {
    const { script } = scriptOf({ failAt: 'run second' })
    const error = await wharf.call(startTrial, { script }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof WharfError)
    assert.deepEqual([error.code, error.status], ['SYS.1016', 503])
    assert.match(error.jobUuid ?? '', /^[0-9a-f]{32}$/)
    assert.match(error.details, /run second fails as scripted/)
  })

  test(`${condition}, many jobs are awaited concurrently`, async () => {
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
  return { job: job ?? assert.fail('no job'), trace }
}

test('start returns a handle without waiting', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const first = await job.poll()
  assert.ok('running' in first && first.running.uuid === job.uuid)
  const waiting = job.wait()
  trace.release()
  assert.deepEqual(await waiting, { steps: 'first second third' })
  assert.deepEqual(await job.poll(), { answer: { steps: 'first second third' } })
})

test('a job that was started elsewhere is found by its uuid', async () => {
  const { job } = await started()
  assert.deepEqual(await wharf.job(job.uuid).wait(), { steps: 'first second third' })
})

test('the log is read up to now, or followed to the end', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const lines: string[] = []
  for await (const line of job.log({ follow: true })) {
    lines.push(line)
    if (line === 'run second') trace.release()
  }
  assert.ok(lines.includes('run third'))
  assert.deepEqual(await Array.fromAsync(job.log()), lines)
})

test('an abort stops waiting but not the job', async () => {
  const { job, trace } = await started({ holdAt: 'run second' })
  const controller = new AbortController()
  const waiting = job.wait({ signal: controller.signal })
  setTimeout(() => controller.abort(), 50)
  await assert.rejects(waiting, { name: 'AbortError' })
  trace.release()
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

test('waiting for a cancelled job throws SYS.1017', async () => {
  const { job } = await started({ holdAt: 'run second' })
  const waiting = job.wait()
  await job.cancel()
  await assert.rejects(waiting, { code: 'SYS.1017' })
})

const pages: Record<string, () => Response> = {
  'a missing page': () => new Response('<h1>nope</h1>', { status: 404 }),
  'a redirect to a sign-in page': () =>
    new Response(null, { status: 302, headers: { location: 'https://sso.example' } }),
  'a sign-in form': () => new Response('<form>', { headers: { 'content-type': 'text/html' } }),
}
test('responses of another server end the wait after a few polls', async () => {
  const waits = Object.entries(pages).map(async ([name, page]) => {
    let polls = 0
    const elsewhere = new Wharf({
      url: 'http://wharf.example',
      session: '0'.repeat(32),
      fetch: async (input) => {
        if (!String(input).endsWith('/events')) polls++
        return page()
      },
    })
    const waiting = elsewhere.job('0'.repeat(32)).wait()
    await assert.rejects(waiting, { name: 'ConnectionError', message: /not a response of a Wharf server/ }, name)
    assert.ok(polls >= 2 && polls <= 6, `${name}: ${polls} polls`)
  })
  await Promise.all(waits)
})

test('an unavailable server is polled with pauses', async () => {
  let polls = 0
  const unavailable = new Wharf({
    url: 'http://wharf.example',
    retry: { tries: 1 },
    fetch: async (input) => {
      if (!String(input).endsWith('/events')) polls++
      throw new TypeError('fetch failed')
    },
  })
  await assert.rejects(unavailable.job('0'.repeat(32)).wait({ signal: AbortSignal.timeout(1000) }), {
    name: 'TimeoutError',
  })
  assert.ok(polls >= 2 && polls <= 4, `${polls} polls`)
})

test('jobTimeoutSeconds limits the time of a job', async () => {
  const { script } = scriptOf({ holdAt: 'run second' })
  await assert.rejects(wharf.call(startTrial, { script }, { jobTimeoutSeconds: 1 }), { code: 'SYS.1001' })
})
