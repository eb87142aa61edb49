import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from './postgres.ts'

type Row = Record<string, unknown>

/** On a machine without PostgreSQL the reason to skip; in CI the tests fail. */
let unavailable = ''

async function startOrSkip(t: TestContext, options: Parameters<typeof startPostgres>[0] = {}) {
  const server = await startPostgres(options).catch((error: Error) => {
    if (process.env.CI) throw error
    unavailable = error.message
  })
  if (server === undefined) t.skip(unavailable)
  else t.after(() => server.stop())
  return server
}

async function query(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const folderOf = (url: string): string => new URL(url).searchParams.get('host') ?? ''

/** A process that starts a server, prints its URL and waits. */
const starter = `
  import { startPostgres } from ${JSON.stringify(import.meta.resolve('./postgres.ts'))}
  console.log((await startPostgres()).url)
  setInterval(() => {}, 1000)`

test('has a database for every caller, listens on its socket only, resumes with its data, and leaves nothing behind', async (t) => {
  const server = await startOrSkip(t)
  if (server === undefined) return
  const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase('named "by" the caller')])
  await query(first, 'create table things (id bigint)')
  assert.deepEqual(await query(first, 'select * from things'), [])
  await assert.rejects(query(second, 'select * from things'), /"things" does not exist/)
  assert.deepEqual(await query(second, 'select current_database() as name'), [{ name: 'named "by" the caller' }])

  const settings = `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync`
  assert.deepEqual(await query(server.url, settings), [{ addresses: '', fsync: 'off' }])

  await server.halt()
  await assert.rejects(query(first, 'select 1'))
  await server.resume()
  assert.deepEqual(await query(first, 'select * from things'), [], 'the address is the same')

  await server.stop()
  assert.equal(existsSync(folderOf(server.url)), false)
  await assert.rejects(query(server.url, 'select 1'))
})

test('requires the password over TCP', async (t) => {
  const server = await startOrSkip(t, { tcp: true, fsync: true })
  if (server === undefined) return
  const other = new URL(server.url)
  other.password = 'wrong'
  assert.deepEqual(await query(server.url, `select current_setting('fsync') as fsync`), [{ fsync: 'on' }])
  await assert.rejects(query(other.href, 'select 1'), /password authentication failed/)
})

test('ends with the process that started it, even when that process is killed', async (t) => {
  if (unavailable) return t.skip(unavailable)
  const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', starter], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => owner.kill('SIGKILL'))
  const [url] = (await once(createInterface(owner.stdout), 'line')) as [string]
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])

  owner.kill('SIGKILL')
  for (let tries = 0; existsSync(folderOf(url)) && tries < 100; tries++) await sleep(50)
  assert.equal(existsSync(folderOf(url)), false)
  await assert.rejects(query(url, 'select 1'))
})
