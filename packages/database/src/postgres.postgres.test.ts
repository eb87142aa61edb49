import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freshPostgresDatabase, startPostgres, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'
import pg from 'pg'
import { isConnectionFailure } from './failures.ts'
import { migrate } from './open.ts'
import { openPostgres } from './postgres.ts'
import type { OpenedDatabase } from './sqlite.ts'

const write = (database: OpenedDatabase, name: string) =>
  database.transaction((tx) => tx.insertInto('settings').values({ name, value: '' }).execute())

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return
    await delay(20)
  }
  assert.fail(`in vain: ${what}`)
}

async function migrated(t: { after(work: () => Promise<void>): void }) {
  const { url, remove } = await freshPostgresDatabase()
  const databases = [openPostgres(url), openPostgres(url)] as const
  t.after(async () => {
    await Promise.all(databases.map((database) => database.close()))
    await remove()
  })
  await migrate(databases[0])
  return { here: databases[0], there: databases[1], url }
}

if (testEngine === 'postgres') {
  test('a commit wakes the other node, and not before it is committed', async (t) => {
    const { here, there } = await migrated(t)
    let woken = 0
    const stop = there.onPeerCommit(() => woken++)
    // once when it starts to listen
    await until('the listener connects', () => woken === 1)
    await here.transaction(async (tx) => {
      here.notifyPeers(tx)
      await delay(100)
      assert.equal(woken, 1)
    })
    await until('the notification comes', () => woken === 2)
    stop()
  })

  test('a transaction that collides with another is retried', async (t) => {
    const { here, url } = await migrated(t)
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await write(here, 'a')
    let attempts = 0
    await here.transaction(async (tx) => {
      await sql`set transaction isolation level serializable`.execute(tx)
      await tx.selectFrom('settings').selectAll().execute()
      if (attempts++ === 0) await other.query(`update settings set value = 'b'`)
      await tx.updateTable('settings').set({ value: 'c' }).execute()
    })
    await other.end()
    assert.equal(attempts, 2)
    assert.deepEqual((await here.rows('select "value" from "settings"', [])).lists, [['c']])
  })

  test('while the server is unreachable calls fail with that reason; afterwards they succeed', async (t) => {
    const server = await startPostgres()
    t.after(() => server.stop())
    const database = openPostgres(server.url)
    t.after(() => database.close())
    await migrate(database)
    let woken = 0
    t.after(async () => stop())
    const stop = database.onPeerCommit(() => woken++)
    await until('the listener connects', () => woken === 1)
    const started = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const inTheMiddle = database.transaction(async (tx) => {
      await tx.insertInto('settings').values({ name: 'lost', value: '' }).execute()
      started.resolve()
      await held.promise
      await tx.insertInto('settings').values({ name: 'lost too', value: '' }).execute()
    })
    await started.promise
    await write(database, 'before')

    await server.halt()
    held.resolve()
    await assert.rejects(inTheMiddle, isConnectionFailure)
    for (let tries = 0; tries < 15; tries++) await assert.rejects(write(database, 'meanwhile'), isConnectionFailure)
    await assert.rejects(database.rows('select 1', []), isConnectionFailure)

    await server.resume()
    // the pool may still contain a lost connection
    while (await write(database, 'after').then(() => false, isConnectionFailure)) await delay(20)
    const { lists } = await database.rows('select "name" from "settings" order by 1', [])
    assert.deepEqual(lists, [['after'], ['before']])
    await until('the listener is back', () => woken === 2)
    await database.transaction(async (tx) => database.notifyPeers(tx))
    await until('the notification comes', () => woken === 3)
  })

  test('a connection that is idle in a transaction is closed by the server', async (t) => {
    const { here } = await migrated(t)
    const { rows } = await sql<{
      limit: string
    }>`select current_setting('idle_in_transaction_session_timeout') as "limit"`.execute(here.read)
    assert.equal(rows[0]?.limit, '6s')
  })

  test('options of the address are added to ours, and take precedence', async (t) => {
    const { url } = await migrated(t)
    // a socket of the file system has no keepalives, and shows 0 for their current values
    const settings = `select reset_val from pg_settings
      where name in ('tcp_keepalives_count', 'tcp_keepalives_idle', 'work_mem') order by name`
    const rows: [query: string, expected: string[]][] = [
      ['', ['6', '20', '4096']],
      ['options=-c%20work_mem%3D5MB', ['6', '20', '5120']],
      ['application_name=x&options=-c+work_mem=5MB+-c+tcp_keepalives_count=7', ['7', '20', '5120']],
    ]
    for (const [query, expected] of rows) {
      const database = openPostgres(query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`)
      const found = await database.rows(settings, []).finally(() => database.close())
      assert.deepEqual(
        found.objects().map((row) => row.reset_val),
        expected,
        query,
      )
    }
  })

  test('closing while the listener is still connecting leaves no connection', async (t) => {
    let open = 0
    const silent = createServer((socket) => {
      open++
      socket.resume().once('close', () => open--)
    }).listen(0, '127.0.0.1')
    t.after(() => silent.close())
    await once(silent, 'listening')
    const database = openPostgres(`postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`)
    const stopListening = database.onPeerCommit(() => {})
    await until('the listener connects', () => open === 1)
    stopListening()
    await database.close()
    await until('no connection is left', () => open === 0)
    assert.equal(open, 0)
  })
}
