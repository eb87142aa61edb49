import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, EventReader, PostgresPair, reverseCleanup, TestServer, testEngine } from '@wharf/testkit'

const onPostgres = testEngine === 'postgres' ? test : () => {}
const callers = 6
const restarts = process.env.TEST_LONG === undefined ? 1 : 20

/** Two nodes in front of a PostgreSQL and its standby. */
async function nodesOn(t: TestContext): Promise<{ pair: PostgresPair; nodes: [TestServer, TestServer] }> {
  const cleanup = reverseCleanup(t)
  const pair = await PostgresPair.start(cleanup)
  await pair.primary.createDatabase('wharf')
  const environment = { WHARF_DATABASE_URL: pair.url('wharf'), WHARF_MASTER_KEY: randomBytes(32).toString('hex') }
  const open = async (): Promise<TestServer> => {
    const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const more = { WHARF_DATA: folder, WHARF_PORT: '0', WHARF_DISCOVERY: 'none' }
    const server = await TestServer.open({ ...environment, ...more })
    cleanup.after(() => server.app.close())
    return server
  }
  return { pair, nodes: [await open(), await open()] }
}

/** Creates one tag after another, each with its key until it is acknowledged. */
class Caller {
  readonly acknowledged: string[] = []
  readonly refused: number[] = []
  #isDone = false
  readonly #client: Client
  readonly #name: string
  readonly #ended: Promise<void>

  constructor(client: Client, name: string) {
    this.#client = client
    this.#name = name
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
        const { status, headers, text } = await this.#client.post('/v1/tags', { params: { name } }, key)
        if (status === 200) break
        assert.equal(status, 503, text)
        assert.ok(Number(headers.get('retry-after')) > 0)
        this.refused.push(status)
        await delay(50)
      }
      this.acknowledged.push(name)
      await delay(10)
    }
  }
}

/** Every creation of a tag, by a reader that comes back when its stream ends. */
class Follower {
  readonly heard: string[] = []
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
        if ((await this.#reader.status) === 200) for await (const event of this.#reader) this.#take(event)
      } catch {
        // it is opened again
      }
      await delay(50)
    }
  }

  #take({ id, data }: { id: number | undefined; data: string }): void {
    if (id === undefined) return
    assert.ok(id > (this.#last ?? 0), `event ${id} came after ${this.#last}`)
    this.#last = id
    const { resourceType, type, uuid } = JSON.parse(data)
    if (resourceType === 'Tag' && type === 'Created') this.heard.push(uuid)
  }

  stop(): void {
    this.#isDone = true
    this.#reader?.stop()
  }
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 30_000; !isSo(); await delay(20))
    assert.ok(performance.now() < deadline, `in vain: ${what}`)
}

onPostgres(
  'a restart and a failover of PostgreSQL under load: what was acknowledged is there once, and each is told of once',
  async (t) => {
    const { pair, nodes } = await nodesOn(t)
    const [first, second] = nodes
    const asAdmin = (node: TestServer) => new Client(node.url, first.admin.credential)
    const followers = nodes.map((node) => new Follower(asAdmin(node)))
    t.after(() => {
      for (const follower of followers) follower.stop()
    })
    await delay(300)
    const all = Array.from({ length: callers }, (_, n) => new Caller(asAdmin(n % 2 === 0 ? first : second), `tag-${n}`))
    const progress = async (): Promise<void> => {
      const before = all.map(({ acknowledged }) => acknowledged.length)
      await until('every caller goes on', () => all.every((one, n) => one.acknowledged.length > (before[n] ?? 0) + 3))
    }
    await progress()
    for (let round = 0; round < restarts; round++) {
      await pair.primary.halt()
      await delay(200)
      await pair.primary.resume()
      await progress()
    }
    await pair.failOver()
    await progress()
    await Promise.all(all.map((one) => one.stop()))

    const rows = await first.app.foundation.database.rows('select "name", "uuid" from "tags"', [])
    const tags = rows as { name: string; uuid: string }[]
    assert.deepEqual(
      tags.map(({ name }) => name).toSorted(),
      all.flatMap(({ acknowledged }) => acknowledged).toSorted(),
    )
    assert.ok(
      all.some(({ refused }) => refused.length > 0),
      'the faults were felt',
    )
    for (const { heard } of followers) {
      await until('all is heard', () => heard.length >= tags.length)
      await delay(100)
      assert.deepEqual(heard.toSorted(), tags.map(({ uuid }) => uuid).toSorted())
    }
  },
)
