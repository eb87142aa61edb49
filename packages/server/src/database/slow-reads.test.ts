import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AccessKeyInventory, HostInventory, SystemTagInventory } from '@wharf/contract'
import { freshPostgresDatabase, TestServer, testDatabase, testEngine } from '@wharf/testkit'
import { sql } from 'kysely'
import { ApiError } from '../platform/api-error.ts'
import type { Database } from './database.ts'
import { migrate } from './open.ts'
import { openPostgres } from './postgres.ts'
import { collection, type QueryInput } from './query.ts'
import type { ReadLimits } from './read-cost.ts'
import { openSqlite } from './sqlite.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

const keys = collection({ table: 'accessKeys', inventory: AccessKeyInventory })
const hosts = collection({ table: 'hosts', inventory: HostInventory })
const tags = collection({ table: 'systemTags', inventory: SystemTagInventory })

/** Matches nothing, and is compared almost to its end at every place of a text of a's. */
const costly = (characters: number): string => `%${'a'.repeat(characters - 3)}b%`

async function addKeys(database: Database, owner: { accountUuid: string; userUuid: string }, count: number) {
  const { accountUuid, userUuid } = owner
  const rows = Array.from({ length: count }, (_, index) => ({
    uuid: index.toString(16).padStart(32, '0'),
    AccessKeyID: `KEY${String(index).padStart(17, '0')}`,
    sealedSecret: Buffer.alloc(0),
    accountUuid,
    userUuid,
    state: 'Enabled' as const,
    description: 'a'.repeat(2048),
    createDate: index,
    lastOpDate: index,
  }))
  await database.transaction((tx) => tx.insertInto('accessKeys').values(rows).execute())
}

test('a reader whose patterns are expensive holds up nobody: probes are answered meanwhile', async (t) => {
  const server = await TestServer.start(t)
  const reader = await server.signIn('reader')
  const { accountUuid } = reader
  await addKeys(server.app.foundation.database, { accountUuid, userUuid: accountUuid }, 40)
  const pattern = encodeURIComponent(costly(68))
  const conditions = Array.from({ length: 15 }, () => `q=description!~=${pattern}`).join('&')
  let isOver = false
  const attack = reader.get(`/v1/accesskeys?${conditions}&replyWithCount=true&fields=uuid`).finally(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    assert.equal((await server.anonymous.get('/healthz')).status, 200)
    assert.equal((await server.admin.get('/v1/tags?limit=1')).status, 200)
    answered++
  }
  assert.equal((await attack).body.total, 40)
  assert.ok(answered >= 5, `${answered} probes were answered`)
})

test('patterns that are longer than a query may have are refused before anything is read', async (t) => {
  const database = await testDatabase(t)
  const rows: [string, string[]][] = [
    ['one', [`description~=${costly(2000)}`]],
    ['fifteen', Array.from({ length: 15 }, () => `description!~=${costly(100)}`)],
    ['of tags', [`__systemTag__~=${costly(600)}`, `__userTag__!~=${costly(600)}`]],
  ]
  for (const [name, q] of rows)
    await assert.rejects(
      keys.query(database, { q }),
      (error) =>
        error instanceof ApiError && error.code === 'SYS.1007' && /1024 characters together/.test(error.message),
      name,
    )
  assert.deepEqual((await keys.query(database, { q: [`description~=${costly(1024)}`] })).inventories, [])
})

/** On PostgreSQL another process does the work. */
const onSqlite = testEngine === 'sqlite' ? test : () => {}

async function sqliteWith(t: Cleanup, limits: ReadLimits): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-test-'))
  const database = openSqlite(join(folder, 'wharf.db'), limits)
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(database)
  return database
}

async function postgresWith(t: Cleanup, { readMs }: ReadLimits): Promise<Database> {
  const { url, remove } = await freshPostgresDatabase()
  const database = openPostgres(url, { max: 2, queryMs: 15_000, readMs })
  t.after(async () => {
    await database.close()
    await remove()
  })
  await migrate(database)
  return database
}

const databaseWith = testEngine === 'sqlite' ? sqliteWith : postgresWith

const nobody = { accountUuid: 'a'.repeat(32), userUuid: 'b'.repeat(32) }

async function addOwner(database: Database): Promise<void> {
  const dates = { createDate: 0, lastOpDate: 0, description: null }
  await database.transaction(async (tx) => {
    await tx
      .insertInto('accounts')
      .values({ uuid: nobody.accountUuid, name: 'owner', ...dates })
      .execute()
    const user = { uuid: nobody.userUuid, accountUuid: nobody.accountUuid, name: 'owner', role: 'reader' as const }
    await tx
      .insertInto('users')
      .values({ ...user, passwordHash: '', ...dates })
      .execute()
  })
}

test('a query that takes longer than it may is stopped, and says so; the next one is answered', async (t) => {
  const database = await databaseWith(t, { readMs: 150, mainThreadMs: 20 })
  await addOwner(database)
  await addKeys(database, nobody, 200)
  const slow = { q: [`description!~=${costly(1024)}`] }
  await assert.rejects(
    keys.query(database, slow),
    (error) =>
      error instanceof ApiError && error.code === 'SYS.1001' && /fewer or shorter patterns/.test(error.message),
  )
  for (let time = 0; time < 5; time++)
    assert.equal((await keys.query(database, { q: ['AccessKeyID~=key%'], count: true })).total, 200)
})

onSqlite('whatever visits every row starts again in a thread, and finds the same', async (t) => {
  const quick = await sqliteWith(t, { readMs: 10_000, mainThreadMs: 10_000 })
  const moved = await sqliteWith(t, { readMs: 10_000, mainThreadMs: -1 })
  const count = 300
  for (const database of [quick, moved])
    await database.transaction(async (tx) => {
      await sql`insert into "hosts" ("uuid", "name", "description", "driver", "address", "state", "status", "totalCapacity",
        "availableCapacity", "createDate", "lastOpDate")
        with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
        select printf('%032x', i), 'host', printf('%0300d', i), 'ssh', '192.0.2.1', 'Enabled', 'Connected', 0, 0, i, i from n`.execute(
        tx,
      )
      await sql`insert into "systemTags" ("uuid", "resourceUuid", "resourceType", "tag", "createDate", "lastOpDate")
        select "uuid", "uuid", 'Host', "description", 0, 0 from "hosts"`.execute(tx)
    })
  const last = (count - 1).toString(16).padStart(32, '0')
  const rows: [QueryInput, number, typeof hosts?][] = [
    [{ q: ['product=none'] }, 0],
    [{ q: ['address=192.0.2.1'], start: count - 1 }, 1],
    [{ start: count - 1 }, 1],
    [{ start: Number.MAX_SAFE_INTEGER }, 0],
    [{ sort: '-lastOpDate', limit: 1 }, 1],
    [{ sort: '-description', limit: 1 }, 1],
    [{ q: ['address=192.0.2.1'], replyWithCount: true }, count],
    [{ q: ['description~=%99%98%97%'] }, 0],
    [{ q: ['description!~=%0%'] }, 0],
    [{ q: [`__systemTag__~=%00${count - 1}`] }, 1],
    [{ q: ['__userTag__ is null'] }, count],
    [{ q: [`tag=${String(count - 1).padStart(300, '0')}`] }, 1, tags],
    [{ q: [`tag~=%00${count - 1}`], sort: 'tag' }, 1, tags],
    [{ limit: 10_000 }, count, tags],
  ]
  for (const [input, found, from = hosts] of rows) {
    const name = JSON.stringify(input)
    const expected = await from.query(quick, input)
    assert.equal(expected.inventories?.length, found, name)
    let isAnswered = false
    const query = from.query(moved, input).finally(() => {
      isAnswered = true
    })
    // what is read on the main thread is there without a turn of the event loop
    for (let microtask = 0; microtask < 100; microtask++) await undefined
    assert.equal(isAnswered, false, name)
    assert.deepEqual(await query, expected, name)
  }
  assert.equal((await hosts.get(moved, last))?.uuid, last)
})

test('a page that would be too large for one answer is refused, whichever fields make it so', async (t) => {
  const database = await testDatabase(t)
  const rows = Array.from({ length: 260 }, (_, index) => ({
    uuid: index.toString(16).padStart(32, '0'),
    resourceUuid: 'c'.repeat(32),
    resourceType: 'Host',
    tag: String(index).padStart(140_000, '0'),
    createDate: 0,
    lastOpDate: 0,
  }))
  await database.transaction((tx) => tx.insertInto('systemTags').values(rows).execute())
  await assert.rejects(
    tags.query(database, {}),
    (error) =>
      error instanceof ApiError && error.code === 'SYS.1007' && /larger than 32 MiB.*smaller limit/.test(error.message),
  )
  assert.equal((await tags.query(database, { fields: ['uuid'] })).inventories?.length, 260)
  assert.equal((await tags.query(database, { limit: 100 })).inventories?.length, 100)
})
