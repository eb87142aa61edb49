import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ServerProcess, serverEnvironment, testEngine } from '@wharf/testkit'
import { usageOf } from './process-usage.ts'

/** A page has 5 MB: 400 MB in all, and in the long form 1.5 GB. */
const readers = process.env.TEST_LONG ? 300 : 80
const records = 1000
/** The buffers for readers are 64 MiB; the rest is for a page in progress. */
const maxGrowthMiB = 160

/** Tags whose page has some megabytes, in few rows: the page is cheap to make. */
function fill(data: string): void {
  const database = new DatabaseSync(join(data, 'wharf.db'))
  database.exec(`with recursive "n"("i") as (select 1 union all select "i" + 1 from "n" where "i" < ${records})
    insert into "tags" ("uuid", "name", "color", "createDate", "lastOpDate")
    select printf('%032x', "i"), printf('tag %05000d', "i"), null, "i", "i" from "n"`)
  database.close()
}

async function stalledReader(t: TestContext, url: URL, session: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(
    `GET ${url.pathname}/v1/tags?limit=${records} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: OAuth ${session}\r\n\r\n`,
  )
  return socket
}

if (testEngine === 'sqlite')
  test(`${readers} stalled readers of a page use bounded memory, and other callers are served`, async (t) => {
    const server = new ServerProcess({ ...(await serverEnvironment(t)), WHARF_LOG_LEVEL: 'warn' })
    t.after(() => server.kill())
    fill(server.environment.WHARF_DATA ?? '')
    await server.start()
    const { admin, anonymous } = server
    const account = { accountName: 'admin', password: server.bootstrap.password }
    const { body } = await anonymous.put('/v1/accounts/login', { logInByAccount: account })
    const { uuid: session } = body.inventory as { uuid: string }
    const page = () => admin.get(`/v1/tags?limit=${records}`)
    const { text } = await page()
    assert.ok(text.length > 1_000_000, `${text.length}`)
    // what making pages leaves to the garbage collector is there before
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 5 }, page))
    const before = usageOf(server.pid).residentMiB
    const url = new URL(server.bootstrap.url)
    for (let n = 0; n < readers; n++) {
      await stalledReader(t, url, session)
      if (n % 20 === 0) assert.equal((await anonymous.get('/healthz')).status, 200)
    }
    await delay(3000)
    const growth = usageOf(server.pid).residentMiB - before
    assert.ok(growth < maxGrowthMiB, `${growth.toFixed()} MiB more`)
    // a reader that reads gets everything: others are disconnected for it once they have stalled for long enough, and so is
    // this one while a busy machine does not let it read
    const readPage = () => page().then(({ status }) => status, String)
    let result = await readPage()
    for (let retries = 0; result !== 200 && retries < 40; retries++) {
      await delay(500)
      result = await readPage()
    }
    assert.equal(result, 200)
    const { text: metrics } = await anonymous.get('/metrics')
    const [, held = ''] = /^wharf_unsent_bytes (\d+)$/m.exec(metrics) ?? []
    assert.ok(Number(held) > 0 && Number(held) <= 64 * 1024 * 1024, held)
  })
