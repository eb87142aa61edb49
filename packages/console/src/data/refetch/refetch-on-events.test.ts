import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { inventories, inventoriesIn, operations } from '@wharf/contract'
import { type Wharf, WharfError } from '@wharf/sdk'
import { refetchOnEvents } from './refetch-on-events.ts'
import { resourcesByEvent } from './resources-by-event.ts'

type EventOptions = NonNullable<Parameters<Wharf['events']>[0]>
type WharfEvent = { resourceType: string }

/** An event stream that the test controls. */
class FakeStream {
  options: EventOptions = {}
  readonly #events: WharfEvent[] = []
  #wake: (() => void) | undefined
  #error: unknown

  readonly events = ((options: EventOptions = {}) => {
    this.options = options
    return this.#read()
  }) as Wharf['events']

  async *#read(): AsyncGenerator<WharfEvent> {
    while (true) {
      const event = this.#events.shift()
      if (event) yield event
      else if (this.#error !== undefined) throw this.#error
      else if (this.options.signal?.aborted) throw this.options.signal.reason
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  send(resourceType: string): void {
    this.#events.push({ resourceType })
    this.#wake?.()
  }

  fail(error: unknown): void {
    this.#error = error
    this.#wake?.()
  }

  connect(isOpen: boolean): void {
    this.options.onConnection?.(isOpen)
  }
}

/** Counts the requests of a rendered query per resource. */
function setup(t: TestContext) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  const requests: Record<string, number> = {}
  for (const resource of ['hosts', 'candidate-hosts', 'jobs', 'tags']) {
    const queryFn = async () => {
      requests[resource] = (requests[resource] ?? 0) + 1
      return resource
    }
    t.after(new QueryObserver(queries, { queryKey: [resource, 'query'], queryFn }).subscribe(() => {}))
  }
  const stream = new FakeStream()
  const end = new AbortController()
  const connections: boolean[] = []
  const sessionEnds: unknown[] = []
  const done = refetchOnEvents({
    wharf: stream,
    queries,
    signal: end.signal,
    onConnection: (isOpen) => connections.push(isOpen),
    onSessionEnd: (how) => sessionEnds.push(how),
  })
  t.after(() => {
    end.abort()
    stream.fail(new Error('end of the test'))
    queries.clear()
  })
  return { stream, end, requests, connections, sessionEnds, done }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

async function afterBatch(t: TestContext): Promise<void> {
  await settle()
  t.mock.timers.tick(250)
  await settle()
}

beforeEach((t) => (t as TestContext).mock.timers.enable({ apis: ['setTimeout'] }))

test('an event refetches the resources that return its record, and no other', async (t) => {
  const { stream, requests } = setup(t)
  await settle()
  stream.send('Host')
  await afterBatch(t)
  assert.deepEqual(requests, { hosts: 2, 'candidate-hosts': 2, jobs: 1, tags: 1 })
})

test('events within a quarter of a second cause one refetch', async (t) => {
  const { stream, requests } = setup(t)
  await settle()
  for (let count = 0; count < 20; count++) stream.send('ApiJob')
  await settle()
  assert.equal(requests.jobs, 1)
  await afterBatch(t)
  assert.equal(requests.jobs, 2)
})

test('two hundred changes a second cause at most two requests a second, and the last one is shown', async (t) => {
  const { stream, requests } = setup(t)
  await settle()
  const seconds = 10
  const total = (): number => Object.values(requests).reduce((sum, count) => sum + count, 0)
  const before = total()
  for (let tick = 0; tick < seconds * 20; tick++) {
    for (const type of ['Host', 'ApiJob']) for (let change = 0; change < 5; change++) stream.send(type)
    await settle()
    t.mock.timers.tick(50)
  }
  await settle()
  const during = total() - before
  assert.ok(during > seconds && during <= 2 * seconds + 3, `${during}`)
  t.mock.timers.tick(2000)
  await settle()
  assert.equal(total() - before - during, 3)
})

test('an unknown event type refetches nothing', async (t) => {
  const { stream, requests } = setup(t)
  await settle()
  stream.send('SomethingNew')
  await afterBatch(t)
  assert.deepEqual(requests, { hosts: 1, 'candidate-hosts': 1, jobs: 1, tags: 1 })
})

test('the first connection refetches once: changes before it have no event', async (t) => {
  const { stream, requests, connections } = setup(t)
  await settle()
  stream.connect(true)
  await settle()
  assert.deepEqual(connections, [true])
  assert.deepEqual(requests, { hosts: 2, 'candidate-hosts': 2, jobs: 2, tags: 2 })
})

test('a lost connection is reported, and a reconnect refetches everything', async (t) => {
  const { stream, requests, connections } = setup(t)
  await settle()
  stream.connect(true)
  await settle()
  stream.connect(false)
  await settle()
  assert.equal(requests.tags, 2)
  stream.connect(true)
  await settle()
  assert.deepEqual(connections, [true, false, true])
  assert.equal(requests.tags, 3)
})

const failure = (status: number): WharfError =>
  new WharfError(
    { code: 'ID.1001', description: 'no', details: 'no', elaboration: null, opaque: null, cause: null },
    { status, explain: async () => undefined },
  )

test('a 401 ends the session', async (t) => {
  const { stream, sessionEnds, done } = setup(t)
  await settle()
  stream.fail(failure(401))
  await done
  assert.deepEqual(sessionEnds, [{ isOver: true }])
})

test('another error is logged and keeps the session', async (t) => {
  const log = t.mock.method(console, 'error', () => {})
  const { stream, sessionEnds, done } = setup(t)
  await settle()
  stream.fail(failure(500))
  await done
  assert.deepEqual(sessionEnds, [])
  assert.equal(log.mock.callCount(), 1)
})

test('an aborted stream ends without an error, and its pending refetch does not happen', async (t) => {
  const log = t.mock.method(console, 'error', () => {})
  const { stream, end, requests, sessionEnds, done } = setup(t)
  await settle()
  stream.send('Host')
  await settle()
  end.abort()
  stream.fail(failure(401))
  await done
  t.mock.timers.tick(1000)
  await settle()
  assert.equal(requests.hosts, 1)
  assert.deepEqual(sessionEnds, [])
  assert.equal(log.mock.callCount(), 0)
})

/** Resources that no event changes: their answers come from files, or, of the audit trail, every change would. */
const withoutEvents = ['audit-entries', 'elaborations']

test('every resource that the console can list is refetched by an event', () => {
  const refetched = new Set([...resourcesByEvent.values()].flatMap((resources) => [...resources]))
  const listed = operations.filter(({ answer, method }) => method === 'GET' && inventoriesIn(answer).length > 0)
  const missing = new Set(listed.map(({ resource }) => resource).filter((resource) => !refetched.has(resource)))
  assert.deepEqual([...missing], withoutEvents)
})

test('an event makes every resource stale that returns the changed record', () => {
  const rows = {
    Host: ['candidate-hosts', 'hosts'],
    SoftwarePackage: ['migration', 'software-packages'],
    ThirdPartyPlatform: ['alerts', 'cluster-plugins'],
    ThirdPartyAlert: ['alerts'],
    Delivery: ['chat-endpoints'],
    ApiJob: ['jobs'],
    User: ['identity'],
    Tag: ['tags'],
  }
  for (const [event, resources] of Object.entries(rows))
    assert.deepEqual([...(resourcesByEvent.get(event) ?? [])].sort(), resources, event)
})

test('every event type that clients receive makes a query stale', () => {
  const types = new Set(inventories.flatMap(({ events }) => events))
  // for other nodes only
  for (const internal of ['Session', 'DeviceLogin'] as const) types.delete(internal)
  assert.ok(types.has('ApiJob'))
  for (const type of types) assert.ok(resourcesByEvent.has(type), `no query is refetched for ${type}`)
})
