import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binding } from '@wharf/server/calls/bind.ts'
import { bindJob, type JobOperation } from '@wharf/server/calls/job-operation.ts'
import type { Foundation } from '@wharf/server/composition/resources.ts'
import { type JobContext, step } from '@wharf/server/jobs/definition.ts'
import {
  type Answer,
  Client,
  EventReader,
  PostgresPair,
  reverseCleanup,
  startTrial,
  TestServer,
  testEngine,
} from '@wharf/testkit'

const onPostgres = testEngine === 'postgres' ? test : () => {}
const callers = 4
const restarts = process.env.TEST_LONG === undefined ? 1 : 20

/** The input of a named job; `isHeld` blocks it until it is released. */
interface Input {
  readonly name: string
  readonly isHeld: boolean
}

/** Jobs that insert a row when they succeed, so that a second run shows as a second row. */
const markedJobs =
  (isReleased: () => boolean) =>
  ({ jobs }: Foundation): Binding[] => {
    const pause = async ({ signal }: JobContext<Input>) => void (await delay(100, undefined, { signal }))
    const steps = [
      step<Input, object>('before', pause),
      step<Input, object>('across', async ({ input, signal }) => {
        while (input.isHeld && !isReleased()) await delay(20, undefined, { signal })
      }),
      step<Input, object>('after', pause),
    ]
    const marked: JobOperation<typeof startTrial, Input, object> = {
      operation: startTrial,
      start: ({ fields, commit }, enqueue) =>
        commit((tx) => enqueue(tx, { subject: null, host: null, input: JSON.parse(fields.script) as Input })),
      steps,
      async succeeded({ input: { name }, jobUuid }, tx) {
        await tx
          .insertInto('settings')
          .values({ name: `ended ${name} ${randomUUID()}`, value: jobUuid })
          .execute()
        return { steps: name }
      },
    }
    return [bindJob(jobs, marked)]
  }

type Call = (client: Client, name: string, headers: Record<string, string>) => Promise<Answer>

const createTag: Call = (client, name, headers) => client.post('/v1/tags', { params: { name } }, headers)

const runJob =
  (isHeld: boolean): Call =>
  (client, name, headers) =>
    client.post(startTrial.path, { params: { script: JSON.stringify({ name, isHeld }) } }, headers)

/** Two nodes in front of a PostgreSQL and its standby. */
async function startNodes(
  t: TestContext,
  extend: (foundation: Foundation) => Binding[],
): Promise<{ pair: PostgresPair; nodes: [TestServer, TestServer] }> {
  const cleanup = reverseCleanup(t)
  const pair = await PostgresPair.start(cleanup)
  await pair.primary.createDatabase('wharf')
  const environment = { WHARF_DATABASE_URL: pair.url('wharf'), WHARF_MASTER_KEY: randomBytes(32).toString('hex') }
  const open = async (): Promise<TestServer> => {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const more = { WHARF_DATA: folder, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
    const server = await TestServer.open({ ...environment, ...more }, { extend })
    cleanup.after(() => server.app.close())
    return server
  }
  return { pair, nodes: [await open(), await open()] }
}

/** Makes one call after another, each with its key until it is acknowledged. */
class Caller {
  readonly acknowledged: string[] = []
  readonly refused: number[] = []
  #isDone = false
  readonly #client: Client
  readonly #name: string
  readonly #call: Call
  readonly #ended: Promise<void>

  constructor(client: Client, name: string, call: Call) {
    this.#client = client
    this.#name = name
    this.#call = call
    this.#ended = this.#run()
  }

  async stop(): Promise<void> {
    this.#isDone = true
    await this.#ended
  }

  async #run(): Promise<void> {
    for (let number = 0; !this.#isDone; number++) {
      const name = `${this.#name}-${number}`
      const key = { 'idempotency-key': randomUUID() }
      for (;;) {
        const { status, headers, text } = await this.#call(this.#client, name, key)
        if (status === 200) break
        assert.equal(status, 503, text)
        assert.ok(Number(headers.get('retry-after')) > 0)
        this.refused.push(status)
        await delay(50)
      }
      this.acknowledged.push(name)
      await delay(30)
    }
  }
}

/** Records every creation of a tag and reconnects when its stream ends. */
class Follower {
  readonly received: string[] = []
  readonly #client: Client
  #last: number | undefined
  #reader: EventReader | undefined
  #isDone = false

  constructor(client: Client) {
    this.#client = client
    void this.#follow()
  }

  async #follow(): Promise<void> {
    while (!this.#isDone) {
      const from = this.#last === undefined ? {} : { 'last-event-id': String(this.#last) }
      this.#reader = new EventReader(this.#client, '/v1/events', from)
      try {
        if ((await this.#reader.status) === 200) for await (const event of this.#reader) this.#record(event)
      } catch {
        // it is opened again
      }
      await delay(50)
    }
  }

  #record({ id, data }: { id: number | undefined; data: string }): void {
    if (id === undefined) return
    assert.ok(id > (this.#last ?? 0), `event ${id} arrived after ${this.#last}`)
    this.#last = id
    const { resourceType, type, uuid } = JSON.parse(data)
    if (resourceType === 'Tag' && type === 'Created') this.received.push(uuid)
  }

  stop(): void {
    this.#isDone = true
    this.#reader?.stop()
  }
}

async function waitUntil(what: string, isTrue: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 30_000; !isTrue(); await delay(20))
    assert.ok(performance.now() < deadline, `timed out: ${what}`)
}

async function waitForAllJobs(client: Client): Promise<void> {
  const total = async (query: string) => (await client.get(`/v1/api-jobs?count=true${query}`)).body.total
  for (const deadline = performance.now() + 30_000; (await total('&q=state!=Succeeded')) !== 0; await delay(50))
    assert.ok(performance.now() < deadline, 'a job has not succeeded')
  assert.ok(Number(await total('')) > 0)
}

onPostgres(
  'a restart and a failover of PostgreSQL under load lose and repeat no acknowledged write, job or event',
  async (t) => {
    let isReleased = false
    const { pair, nodes } = await startNodes(
      t,
      markedJobs(() => isReleased),
    )
    const [first, second] = nodes
    const asAdmin = (node: TestServer) => new Client(node.url, first.admin.credential)
    const followers = nodes.map((node) => new Follower(asAdmin(node)))
    t.after(() => {
      for (const follower of followers) follower.stop()
    })
    await delay(300)
    const started = await runJob(true)(asAdmin(first), 'across-all', { prefer: 'respond-async' })
    assert.equal(started.status, 202, started.text)
    const startCallers = (count: number, name: string, call: Call): Caller[] =>
      Array.from({ length: count }, (_, n) => new Caller(asAdmin(n % 2 === 0 ? first : second), `${name}-${n}`, call))
    const [taggers, workers] = [startCallers(callers, 'tag', createTag), startCallers(2, 'job', runJob(false))]
    const all = [...taggers, ...workers]
    const waitForProgress = async (): Promise<void> => {
      const before = all.map(({ acknowledged }) => acknowledged.length)
      await waitUntil('every caller makes progress', () =>
        all.every((one, n) => one.acknowledged.length > (before[n] ?? 0) + 3),
      )
    }
    await waitForProgress()
    for (let round = 0; round < restarts; round++) {
      await pair.primary.halt()
      await delay(200)
      await pair.primary.resume()
      await waitForProgress()
    }
    await pair.failOver()
    await waitForProgress()
    await Promise.all(all.map((one) => one.stop()))

    const rows = await first.app.foundation.database.rows('select "name", "uuid" from "tags"', [])
    const tags = rows.objects() as { name: string; uuid: string }[]
    assert.deepEqual(
      tags.map(({ name }) => name).toSorted(),
      taggers.flatMap(({ acknowledged }) => acknowledged).toSorted(),
    )
    isReleased = true
    await waitForAllJobs(asAdmin(second))
    const markers = await first.app.foundation.database.rows(
      `select "name", "value" from "settings" where "name" like 'ended %'`,
      [],
    )
    assert.deepEqual(
      markers.lists.map(([name]) => String(name).split(' ')[1]).toSorted(),
      ['across-all', ...workers.flatMap(({ acknowledged }) => acknowledged)].toSorted(),
    )
    assert.equal(new Set(markers.lists.map(([, value]) => value)).size, markers.length, 'each by a job of its own')
    assert.ok(
      all.some(({ refused }) => refused.length > 0),
      'no call was affected by the faults',
    )
    for (const { received } of followers) {
      await waitUntil('all events are received', () => received.length >= tags.length)
      await delay(100)
      assert.deepEqual(received.toSorted(), tags.map(({ uuid }) => uuid).toSorted())
    }
  },
)
