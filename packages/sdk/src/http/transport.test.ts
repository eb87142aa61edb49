import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, errorCatalogue } from '@wharf/contract'
import { ConnectionError, WharfError } from '../error.ts'
import { Wharf } from '../wharf.ts'

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const failure = (code: ErrorCode, headers: Record<string, string> = {}, details = 'details'): Response => {
  const { status, description } = errorCatalogue[code]
  const error = { code, description, details, elaboration: null, opaque: null, cause: null }
  return json(status, { success: false, error }, { 'x-request-id': 'r1', ...headers })
}

const success = (): Response => json(200, { inventories: [], success: true, error: null })

/** A client whose server returns these responses in order. */
function clientReceiving(...answers: (() => Response | Promise<Response>)[]) {
  const keys: (string | null)[] = []
  const times: number[] = []
  const wharf = new Wharf({
    url: 'http://wharf.example',
    session: '0'.repeat(32),
    retry: { tries: 4, firstPauseMs: 4, maxPauseMs: 8 },
    fetch: async (_input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      times.push(performance.now())
      return (answers[keys.length - 1] ?? answers.at(-1) ?? success)()
    },
  })
  return { wharf, keys, times }
}

test('the name of the program is sent with every request', async () => {
  const sent: (string | null)[] = []
  const wharf = new Wharf({
    url: 'http://wharf.example',
    userAgent: 'deploy/2.0',
    fetch: async (_input, init) => {
      sent.push(new Headers(init?.headers).get('user-agent'))
      return success()
    },
  })
  await wharf.tags.query()
  assert.deepEqual(sent, ['deploy/2.0'])
})

const broken = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

const retried: Record<string, () => Response | Promise<Response>> = {
  'a network failure': broken,
  'a gateway without a backend': () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
  'a gateway timeout': () => new Response('', { status: 504 }),
  'a server that is not ready': () => failure('SYS.1010'),
  'an overloaded server': () => failure('ID.1003'),
  'a request timeout': () => new Response('', { status: 408 }),
}
for (const [name, answer] of Object.entries(retried)) {
  test(`${name} is retried with the same key`, async () => {
    const { wharf, keys } = clientReceiving(answer, answer, success)
    await wharf.tags.create({ name: 'blue' })
    assert.equal(keys.length, 3)
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/)
    assert.equal(new Set(keys).size, 1)
  })
  test(`${name} fails after the allowed attempts`, async () => {
    const { wharf, keys } = clientReceiving(answer)
    await assert.rejects(wharf.tags.create({ name: 'blue' }), (error) => {
      return error instanceof ConnectionError || error instanceof WharfError
    })
    assert.equal(keys.length, 4)
  })
}

const final: ErrorCode[] = [
  'SYS.1000',
  'SYS.1001',
  'SYS.1003',
  'SYS.1007',
  'SYS.1012',
  'HOST.1003',
  'ID.1000',
  'ID.1002',
]
for (const code of final)
  test(`${code} is final and not retried`, async () => {
    const { wharf, keys } = clientReceiving(() => failure(code))
    await assert.rejects(wharf.tags.create({ name: 'blue' }), {
      code,
      status: errorCatalogue[code].status,
      requestId: 'r1',
    })
    assert.equal(keys.length, 1)
  })

test("the 503 of a job is its failure, whatever its code, and carries the job's uuid", async () => {
  const { wharf, keys } = clientReceiving(() =>
    json(
      503,
      {
        success: false,
        error: { code: 'SYS.1010', description: 'd', details: 'x', elaboration: null, opaque: null, cause: null },
      },
      { 'x-job-success': 'false' },
    ),
  )
  const uuid = '1'.repeat(32)
  await assert.rejects(wharf.job(uuid).poll(), { code: 'SYS.1010', jobUuid: uuid })
  assert.equal(keys.length, 1)
})

test('waits for Retry-After, and fails when it exceeds the limit', async () => {
  const { wharf, times } = clientReceiving(() => failure('SYS.1010', { 'retry-after': '1' }), success)
  await wharf.tags.query()
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 990)
  const distant = clientReceiving(() => failure('SYS.1010', { 'retry-after': '3600' }))
  await assert.rejects(distant.wharf.tags.query(), { code: 'SYS.1010' })
  assert.equal(distant.times.length, 1)
})

test('every call has its own idempotency key, and a read has none', async () => {
  const { wharf, keys } = clientReceiving(success)
  await wharf.tags.create({ name: 'a' })
  await wharf.tags.create({ name: 'a' })
  await wharf.tags.create({ name: 'a' }, { idempotencyKey: 'mine' })
  await wharf.tags.query()
  assert.notEqual(keys[0], keys[1])
  assert.deepEqual(keys.slice(2), ['mine', null])
})

test('an abort ends the call immediately, also between two attempts', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const { wharf } = clientReceiving(() => failure('SYS.1010', { 'retry-after': '30' }))
  const call = wharf.tags.query({}, { signal: controller.signal })
  setTimeout(() => controller.abort(reason), 20)
  await assert.rejects(call, reason)
  await assert.rejects(wharf.tags.query({}, { signal: controller.signal }), reason)
})

test('a response of another server is reported with its status and redirect', async () => {
  const page = clientReceiving(() => new Response('<html>', { status: 403 }))
  await assert.rejects(page.wharf.tags.query(), { name: 'ConnectionError', status: 403 })
  const moved = clientReceiving(
    () => new Response('', { status: 301, headers: { location: 'https://wharf.example/' } }),
  )
  await assert.rejects(moved.wharf.tags.query(), /responded with 301 \(redirect to https:\/\/wharf\.example\/\)/)
})

test('causes are nested, and the message contains code, description and details', async () => {
  const inner = {
    code: 'HOST.1003',
    description: 'no connection',
    details: 'in',
    elaboration: null,
    opaque: null,
    cause: null,
  }
  const outer = { ...inner, code: 'HOST.1000', description: 'cannot add', details: 'out', cause: inner }
  const { wharf } = clientReceiving(() => json(502, { success: false, error: outer }))
  const error = await wharf.tags.query().catch((thrown: unknown) => thrown)
  assert.ok(error instanceof WharfError && error.cause instanceof WharfError)
  assert.deepEqual(
    [error.message, error.cause.code, error.cause.cause],
    ['HOST.1000 cannot add: out', 'HOST.1003', undefined],
  )
})

test('an export of audit entries is streamed; an interruption and a foreign answer are errors', async () => {
  const requested: string[] = []
  const exported = async (response: Response): Promise<string> => {
    const wharf = new Wharf({
      url: 'http://wharf.example',
      session: '0'.repeat(32),
      fetch: async (input) => {
        requested.push(String(input))
        return response
      },
    })
    const parts = await Array.fromAsync(wharf.exportAuditEntries({ from: '2026-11-05', format: 'csv' }))
    return Buffer.concat(parts).toString()
  }
  const body = (end: (controller: ReadableStreamDefaultController) => void) =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('a\n')),
      pull: end,
    })
  assert.equal(await exported(new Response(body((stream) => stream.close()))), 'a\n')
  assert.deepEqual(requested, ['http://wharf.example/v1/audit-entries/export?from=2026-11-05&format=csv'])
  const interrupted = new Response(body((stream) => stream.error(new TypeError('terminated'))))
  await assert.rejects(exported(interrupted), { name: 'ConnectionError', message: /was interrupted: terminated/ })
  const page = new Response('<html>', { headers: { 'content-type': 'text/html' } })
  await assert.rejects(exported(page), { name: 'ConnectionError', message: /not a response of a Wharf server/ })
})
