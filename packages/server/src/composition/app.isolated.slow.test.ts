import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  makeCertificate,
  reverseCleanup,
  serverEnvironment,
  TestServer,
  type TestServerOptions,
  testEngine,
} from '@wharf/testkit'
import pg from 'pg'

type Context = { after(work: () => Promise<void>): void }
type Environment = Record<string, string>

async function takenPort(t: Context): Promise<string> {
  const obstacle = createServer().listen(0, '127.0.0.1')
  t.after(async () => void obstacle.close())
  await once(obstacle, 'listening')
  return String((obstacle.address() as AddressInfo).port)
}

function withTls(data: string): Environment {
  const { cert, key } = makeCertificate(data)
  return { WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key }
}

/** PostgreSQL takes a moment to notice that a connection has ended. */
async function assertNoConnection(url: string | undefined): Promise<void> {
  if (url === undefined) return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ours = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'wharf'`
  let held = 1
  for (let tries = 0; tries < 100 && held > 0; tries++) {
    if (tries > 0) await delay(50)
    held = (await client.query(ours)).rows.length
  }
  await client.end()
  assert.equal(held, 0)
}

interface Fault {
  readonly name: string
  readonly message: RegExp
  /** Sets up the failure; returns the settings and options for it. */
  readonly make: (t: Context, data: string) => Promise<{ environment?: Environment; options?: TestServerOptions }>
  readonly repair?: (data: string) => void
}

const inPlaceOf = (name: string) => ({
  make: async (_: Context, data: string) => {
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, name), 'invalid content, long enough for a page of a database')
    return {}
  },
  repair: (data: string) => rmSync(join(data, name)),
})

const faults: Fault[] = [
  {
    name: 'the port is taken',
    message: /the port is in use/,
    make: async (t) => ({ environment: { WHARF_PORT: await takenPort(t) } }),
  },
  {
    name: 'the plain port beside TLS is taken',
    message: /set WHARF_HTTP_PORT to another port/,
    make: async (t, data) => ({ environment: { ...withTls(data), WHARF_HTTP_PORT: await takenPort(t) } }),
  },
  { name: 'the node uuid is broken', message: /does not contain a uuid/, ...inPlaceOf('node-uuid') },
  { name: 'the folder of the backup storage cannot be created', message: /EEXIST/, ...inPlaceOf('backup-storage') },
  {
    name: 'a part throws',
    message: /this part is broken/,
    make: async () => ({
      options: {
        extend: () => {
          throw new Error('this part is broken')
        },
      },
    }),
  },
]
if (testEngine === 'sqlite') {
  faults.push(
    { name: 'the master key is broken', message: /is not 32 bytes/, ...inPlaceOf('master.key') },
    { name: 'the database is broken', message: /file is not a database/, ...inPlaceOf('wharf.db') },
  )
}

for (const { name, message, make, repair } of faults)
  test(`a start that fails because ${name} releases everything`, async (t) => {
    const environment = await serverEnvironment(reverseCleanup(t))
    const data = environment.WHARF_DATA ?? ''
    const { environment: more = {}, options = {} } = await make(t, data)
    for (let tries = 0; tries < 2; tries++)
      await assert.rejects(TestServer.open({ ...environment, ...more }, options), message)
    await assertNoConnection(environment.WHARF_DATABASE_URL)
    repair?.(data)
    const server = await TestServer.open(environment)
    assert.equal((await server.admin.get('/v1/hosts')).status, 200)
    await server.app.close()
  })

test('a second server on one data folder is refused, and the first keeps running', async (t) => {
  const server = await TestServer.start(t)
  await assert.rejects(TestServer.open(server.environment), /another wharf-server works in the data folder/)
  assert.equal((await server.admin.get('/v1/hosts')).status, 200)
})

test('a closed server leaves no descriptor and no timer', async (t) => {
  const environment = await serverEnvironment(reverseCleanup(t))
  const cycle = async () => {
    const server = await TestServer.open(environment)
    await server.logIn('admin', server.bootstrap.password)
    await server.admin.get('/v1/hosts')
    await server.app.close()
  }
  const held = () => ({
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind === 'Immediate').length,
  })
  await cycle()
  const before = held()
  for (let cycles = 0; cycles < 5; cycles++) await cycle()
  const after = held()
  // the client of this test keeps a few connections open
  assert.ok(after.descriptors <= before.descriptors + 2, JSON.stringify({ before, after }))
  assert.ok(after.timers <= before.timers + 2, JSON.stringify({ before, after }))
})

/** Runs this in a process, which must end without an exit call. */
async function ends(environment: Environment, body: string): Promise<string> {
  const program = `
    import { startApp } from ${JSON.stringify(import.meta.resolve('./app.ts'))}
    import { readSettings } from ${JSON.stringify(import.meta.resolve('./settings.ts'))}
    import { makeLog } from ${JSON.stringify(import.meta.resolve('../../../platform/src/log.ts'))}
    const start = (more) => {
      const settings = readSettings({ ...process.env, ...more }, { root: '/' })
      return startApp({ settings, log: makeLog('warn'), passwordCost: { N: 2, r: 1, p: 1 } })
    }
    ${body}`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  const [[code], output] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  assert.equal(code, 0, 'it did not end')
  return output
}

test('a process whose start fails, and that then starts and closes an app, ends without an exit call', async (t) => {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const body = `
    await start({ WHARF_PORT: '${await takenPort(cleanup)}' }).catch((error) => console.log(error.name))
    const app = await start({})
    const answer = await fetch(app.url + '/readyz')
    await app.close()
    console.log(answer.status)`
  assert.equal(await ends(environment, body), 'OperatorError\n200\n')
})
