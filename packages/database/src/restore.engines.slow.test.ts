import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { testDatabase, testOnce } from '@wharf/testkit'
import { backup } from './backup.ts'
import { BackupRefused, endMember } from './backup-format.ts'
import { migrate } from './open.ts'
import { restore } from './restore.ts'
import { type OpenedDatabase, openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

const about = { keyFingerprint: '0123456789abcdef', version: '1.2.3' }
const refused = (text: RegExp) => (error: unknown) =>
  error instanceof BackupRefused && text.test(error.message) && !error.message.includes('\n')

function freshFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-restore-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function sqliteDatabase(t: TestContext): Promise<OpenedDatabase> {
  const folder = freshFolder(t)
  const database = openSqlite(join(folder, 'wharf.db'))
  t.after(() => database.close())
  await migrate(database)
  return database
}

/** Text with everything that could trip a line, a quote or an encoding. */
const awkward = 'a"b\\c\n\r\u2028\u2029\t😀é{"base64":"AA=="}'

/** A row in every table, enough of one table for several batches, the ends of every type. */
async function fill(database: OpenedDatabase): Promise<void> {
  const dated = { createDate: Number.MAX_SAFE_INTEGER, lastOpDate: 0 }
  const owner = { accountUuid: 'a1', userUuid: 'u1' }
  await database.transaction(async (tx) => {
    await tx.insertInto('settings').values({ name: 'keyCheck', value: awkward }).execute()
    const node = { uuid: 'n1', hostName: awkward, url: null, version: '', status: 'Dead' as const, ...dated }
    await tx.insertInto('managementNodes').values(node).execute()
    await tx
      .insertInto('accounts')
      .values({ uuid: 'a1', name: awkward, description: null, ...dated })
      .execute()
    const user = {
      uuid: 'u1',
      accountUuid: 'a1',
      name: '',
      role: 'admin' as const,
      passwordHash: 'x',
      scope: '[]',
      description: awkward,
    }
    await tx
      .insertInto('users')
      .values({ ...user, ...dated })
      .execute()
    await tx
      .insertInto('sessions')
      .values({ hash: 'h', ...owner, kind: 'Password', client: awkward, createDate: 1, lastUseDate: 2, expiredDate: 3 })
      .execute()
    const key = { uuid: 'k1', AccessKeyID: 'id', sealedSecret: randomBytes(60), ...owner, state: 'Enabled' as const }
    const limits = { operations: '[]', allowedCidrs: '[]', schemes: awkward, sealedPreviousSecret: randomBytes(60) }
    await tx
      .insertInto('accessKeys')
      .values({ ...key, scope: '[]', description: null, ...limits, ...dated })
      .execute()
    await tx
      .insertInto('usedNonces')
      .values({ AccessKeyID: 'id', nonce: awkward, requestId: '', expiresDate: 1 })
      .execute()
    await tx
      .insertInto('tags')
      .values({ uuid: 't1', name: 'red', color: null, ...dated })
      .execute()
    const tag = { uuid: 's1', resourceUuid: 'r', resourceType: 'R', tag: awkward, ...dated }
    await tx.insertInto('systemTags').values(tag).execute()
    await tx
      .insertInto('userTags')
      .values({ ...tag, tagUuid: 't1' })
      .execute()
    const job = {
      uuid: 'j1',
      operation: 'O',
      subjectUuid: null,
      ...owner,
      managementNodeUuid: null,
      state: 'Running' as const,
    }
    const sealed = { sealedInput: Buffer.alloc(0), sealedMemory: null, sealedOutcome: Buffer.alloc(70_000, 255) }
    const lease = { owner: null, fence: -1, leaseUntil: 0, deadline: 0, cancelRequested: 1 }
    const place = { progress: 0, position: 0, currentStep: null, errorCode: null }
    await tx
      .insertInto('jobs')
      .values({ ...job, ...sealed, ...lease, ...place, ...dated })
      .execute()
    const lines = Array.from({ length: 1001 }, (_, sequence) => ({
      jobUuid: 'j1',
      sequence,
      at: 1,
      line: awkward + sequence,
    }))
    await tx.insertInto('jobLogs').values(lines).execute()
    const repeated = { key: 'i', accountUuid: 'a1', fingerprint: 'f', jobUuid: 'j1', sealedAnswer: null, createDate: 1 }
    await tx.insertInto('idempotencyKeys').values(repeated).execute()
    const event = { type: 'T', resourceType: 'Tag', uuid: 'r', at: 1, audience: null } as const
    await tx.insertInto('events').values([event, event, event]).execute()
    await tx.deleteFrom('events').where('sequence', '>', 1).execute()
    // they were committed, and no node has chained them yet
    await tx
      .insertInto('pendingAuditEntries')
      .values([{ entry: 'a' }, { entry: awkward }])
      .execute()
  })
}

const tables = (
  'settings managementNodes accounts users sessions accessKeys tags systemTags userTags hosts backupStorage ' +
  'jobs jobLogs idempotencyKeys usedNonces events pendingAuditEntries'
).split(' ') as (keyof Tables)[]

/** Everything as text, bytes in hex: PostgreSQL hands out buffers, SQLite plain arrays of bytes. */
async function contentOf(database: OpenedDatabase): Promise<string[]> {
  const content: string[] = []
  for (const table of tables)
    for (const row of await database.read.selectFrom(table).selectAll().execute()) {
      const cells = Object.entries(row).map(([column, value]) => [
        column,
        value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString('hex')}` : value,
      ])
      content.push(JSON.stringify([table, cells]))
    }
  return content.sort()
}

async function nextEvent(database: OpenedDatabase): Promise<number> {
  const event = { type: 'T', resourceType: 'Tag', uuid: 'r', at: 1, audience: null } as const
  const row = await database.transaction((tx) =>
    tx.insertInto('events').values(event).returning('sequence').executeTakeFirst(),
  )
  return Number(row?.sequence)
}

/** A file that is a backup in form, with these lines. */
function craft(t: TestContext, lines: unknown[], more = {}): string {
  const file = join(freshFolder(t), 'crafted')
  const content = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const end = {
    rows: lines.filter(Array.isArray).length,
    sha256: createHash('sha256').update(content).digest('hex'),
    ...more,
  }
  writeFileSync(file, Buffer.concat([content, endMember(end)]))
  return file
}

const header = { format: 'wharf-backup', formatVersion: 1, ...about, migrations: ['0001-foundation'], lastEvent: 0 }

async function roundTrip(t: TestContext, from: OpenedDatabase, to: OpenedDatabase): Promise<void> {
  await fill(from)
  const file = join(freshFolder(t), 'backup')
  const made = await backup(from, file, about)
  assert.equal(made.rows, 1001 + 15)
  assert.deepEqual(await restore(to, file, about), made)
  assert.deepEqual(await contentOf(to), await contentOf(from))
  // three numbers were used; two are deleted, but clients may have seen them
  assert.equal(await nextEvent(to), 4)
  const entry = await to.transaction((tx) =>
    tx.insertInto('pendingAuditEntries').values({ entry: 'b' }).returning('id').executeTakeFirst(),
  )
  assert.equal(Number(entry?.id), 3, 'a new entry follows the restored ones')
}

test('a restored database contains what the other contained', async (t) => {
  await roundTrip(t, await testDatabase(t), await testDatabase(t))
})

if (process.env.TEST_POSTGRES_URL !== undefined) {
  test('a backup of SQLite restores on PostgreSQL', async (t) => {
    await roundTrip(t, await sqliteDatabase(t), await testDatabase(t))
  })

  test('a backup of PostgreSQL restores on SQLite', async (t) => {
    await roundTrip(t, await testDatabase(t), await sqliteDatabase(t))
  })
}

test('a restored database can be backed up and restored again, with no event left', async (t) => {
  const [first, second, third] = [await testDatabase(t), await testDatabase(t), await testDatabase(t)]
  for (let n = 1; n <= 5; n++) assert.equal(await nextEvent(first), n)
  await first.transaction((tx) => tx.deleteFrom('events').execute())
  const folder = freshFolder(t)
  await backup(first, join(folder, '1'), about)
  await restore(second, join(folder, '1'), about)
  await backup(second, join(folder, '2'), about)
  await restore(third, join(folder, '2'), about)
  assert.equal(await nextEvent(third), 6)
})

testOnce('any flipped, missing or added byte is refused before anything is touched', async (t) => {
  const database = await testDatabase(t)
  const folder = freshFolder(t)
  const source = await testDatabase(t)
  await source.transaction((tx) => tx.insertInto('settings').values({ name: 'a', value: 'b' }).execute())
  const file = join(folder, 'backup')
  await backup(source, file, about)
  const whole = readFileSync(file)
  const damaged = join(folder, 'damaged')
  const mustRefuse = async (bytes: Uint8Array, what: string): Promise<void> => {
    writeFileSync(damaged, bytes)
    await assert.rejects(restore(database, damaged, about), refused(/is not a whole Wharf backup/), what)
  }
  // by an odd number, so that every bit of a byte has its turn
  for (let at = 0; at < whole.length; at += process.env.TEST_LONG ? 1 : 7) {
    const flipped = Buffer.from(whole)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    await mustRefuse(flipped, `bit ${at % 8} of byte ${at}`)
    await mustRefuse(whole.subarray(0, at), `only ${at} bytes`)
    if (at % 2 === 0) await mustRefuse(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]), `no byte ${at}`)
  }
  await mustRefuse(Buffer.concat([whole, Buffer.from([0])]), 'a byte more')
  await mustRefuse(Buffer.concat([whole, whole]), 'twice')
  await mustRefuse(gzipSync(gunzipSync(whole)), 'packed again')
  assert.deepEqual(await database.read.selectFrom('settings').selectAll().execute(), [])
  await restore(database, file, about)
})

test('a database that contains accounts is rejected and unchanged', async (t) => {
  const database = await testDatabase(t)
  await fill(database)
  const before = await contentOf(database)
  await assert.rejects(restore(database, craft(t, [header]), about), refused(/^the database contains accounts/))
  assert.deepEqual(await contentOf(database), before)
})

test('rows of a start that created no account are replaced', async (t) => {
  const database = await testDatabase(t)
  await database.transaction(async (tx) => {
    await tx.insertInto('settings').values({ name: 'keyCheck', value: 'old' }).execute()
    await tx.insertInto('settings').values({ name: 'other', value: 'old' }).execute()
  })
  const file = craft(t, [header, { table: 'settings', columns: ['name', 'value'] }, ['keyCheck', 'new']])
  assert.deepEqual(await restore(database, file, about), { rows: 1 })
  const rows = await database.read.selectFrom('settings').select('value').execute()
  assert.deepEqual(
    rows.map((row) => row.value),
    ['new'],
  )
})

testOnce('a backup that does not fit is refused with the reason', async (t) => {
  const database = await testDatabase(t)
  const rows: [object, RegExp][] = [
    [{ ...header, formatVersion: 2 }, /has format 2; this version of Wharf reads up to 1$/],
    [{ ...header, format: 'other' }, /is not a Wharf backup$/],
    [{ ...header, migrations: ['0001-foundation', '9999-later'] }, /newer Wharf \(1\.2\.3\).* 9999-later$/],
    [{ ...header, keyFingerprint: 'feedfeedfeedfeed' }, /needs the master key with fingerprint feedfeedfeedfeed/],
  ]
  for (const [unfit, text] of rows) await assert.rejects(restore(database, craft(t, [unfit]), about), refused(text))
  const folder = freshFolder(t)
  await assert.rejects(restore(database, join(folder, 'none'), about), refused(/^cannot read .*none: ENOENT$/))
  await assert.rejects(restore(database, folder, about), refused(/it is not a file$/))
})

test('a backup with fewer rows than it declares is rejected', async (t) => {
  const database = await testDatabase(t)
  const lines = [header, { table: 'settings', columns: ['name', 'value'] }, ['a', 'b']]
  await assert.rejects(
    restore(database, craft(t, lines, { rows: 2 }), about),
    refused(/declares 2 rows and contains 1$/),
  )
  assert.deepEqual(await database.read.selectFrom('settings').selectAll().execute(), [])
})

test('a restore that fails half way leaves the database empty', async (t) => {
  const database = await testDatabase(t)
  const file = craft(t, [
    header,
    { table: 'settings', columns: ['name', 'value'] },
    ['a', 'b'],
    { table: 'jobLogs', columns: ['jobUuid', 'sequence', 'at', 'line'] },
    ['no such job', 1, 1, ''],
  ])
  await assert.rejects(restore(database, file, about), /foreign key/i)
  assert.deepEqual(await database.read.selectFrom('settings').selectAll().execute(), [])
})

test('a character that PostgreSQL cannot store does not stop a restore', async (t) => {
  const database = await testDatabase(t)
  const file = craft(t, [header, { table: 'settings', columns: ['name', 'value'] }, ['a', 'b\0c']])
  await restore(database, file, about)
  const row = await database.read.selectFrom('settings').select('value').executeTakeFirst()
  assert.equal(row?.value, database.engine === 'postgres' ? 'b\uFFFDc' : 'b\0c')
})
