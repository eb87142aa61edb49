import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { testDatabase } from '@wharf/testkit'
import { backup } from './backup.ts'
import { BackupRefused } from './backup-format.ts'

const about = { keyFingerprint: '0123456789abcdef', version: '1.2.3' }

function freshFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-backup-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'wharf.backup')
}

const tag = (name: string) => ({ uuid: name, name, color: null, createDate: 1, lastOpDate: 1 })
const refused = (text: RegExp) => (error: unknown) => error instanceof BackupRefused && text.test(error.message)

test('a backup is gzip of lines of JSON, each with its kind', async (t) => {
  const database = await testDatabase(t)
  await database.transaction((tx) =>
    tx
      .insertInto('tags')
      .values([tag('a'), tag('b')])
      .execute(),
  )
  const file = freshFile(t)
  assert.deepEqual(await backup(database, file, about), { rows: 2 })
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line))
  const { createdAt, ...header } = parsed[0]
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/)
  const { engine } = database
  const migrations = ['0001-foundation']
  assert.deepEqual(
    { ...header, migrations: header.migrations.slice(0, 1) },
    {
      format: 'wharf-backup',
      formatVersion: 1,
      ...about,
      engine,
      migrations,
      lastEvent: 0,
    },
  )
  assert.ok(lines.includes('{"table":"tags","columns":["uuid","name","color","createDate","lastOpDate"]}'))
  assert.ok(lines.includes('["b","b",null,1,1]'))
  assert.ok(!lines.some((line) => line.includes('"table":"migrations')))
  assert.equal(parsed.at(-1).rows, 2)
})

test('a table follows those that it refers to', async (t) => {
  const file = freshFile(t)
  await backup(await testDatabase(t), file, about)
  const text = gunzipSync(readFileSync(file)).toString()
  const place = (table: string) => text.indexOf(`{"table":"${table}"`)
  for (const [parent, child] of [
    ['accounts', 'users'],
    ['users', 'sessions'],
    ['users', 'accessKeys'],
    ['tags', 'userTags'],
    ['jobs', 'jobLogs'],
    ['jobs', 'idempotencyKeys'],
  ] as const)
    assert.ok(place(parent) > 0 && place(parent) < place(child), `${parent} before ${child}`)
})

test('only its owner may read a backup, and nothing else is left in the folder', async (t) => {
  const file = freshFile(t)
  await backup(await testDatabase(t), file, about)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(existsSync(`${file}.part`), false)
})

test('a backup overwrites nothing', async (t) => {
  const database = await testDatabase(t)
  const file = freshFile(t)
  writeFileSync(file, 'mine')
  await assert.rejects(backup(database, file, about), refused(/already exists; a backup does not overwrite$/))
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  rmSync(file)
  writeFileSync(`${file}.part`, 'of another')
  await assert.rejects(backup(database, file, about), refused(/another backup is writing it/))
  assert.equal(readFileSync(`${file}.part`, 'utf8'), 'of another')
  assert.equal(existsSync(file), false)
  await assert.rejects(backup(database, join(file, 'x'), about), refused(/the folder does not exist$/))
})

test('a backup that fails leaves nothing behind', async (t) => {
  const database = await testDatabase(t)
  const file = freshFile(t)
  await database.transaction(async (tx) => {
    await tx.insertInto('tags').values(tag('a')).execute()
    await tx.schema.dropTable('migrations').execute()
  })
  await assert.rejects(backup(database, file, about), /migrations/)
  assert.equal(existsSync(file) || existsSync(`${file}.part`), false)
})

test('a backup is of one moment while others write', async (t) => {
  const database = await testDatabase(t)
  const color = randomBytes(15).toString('hex')
  for (let n = 0; n < 20; n++)
    await database.transaction((tx) =>
      tx
        .insertInto('tags')
        .values(Array.from({ length: 250 }, (_, i) => ({ ...tag(`${n}-${i}`), color })))
        .execute(),
    )
  const file = freshFile(t)
  let running = true
  const making = backup(database, file, about).finally(() => {
    running = false
  })
  let pairs = 0
  // each transaction writes one row into a table early in the file and one into a table late in it
  for (; running && pairs < 10_000; pairs++) {
    const userTag = {
      uuid: `pair${pairs}`,
      resourceUuid: 'r',
      resourceType: 'R',
      tag: 't',
      createDate: 1,
      lastOpDate: 1,
    }
    await database.transaction(async (tx) => {
      await tx.insertInto('accounts').values(account(pairs)).execute()
      await tx.insertInto('userTags').values(userTag).execute()
    })
    await setImmediate()
  }
  await making
  const text = gunzipSync(readFileSync(file)).toString()
  const accounts = text.match(/^\["account\d+"/gm)?.length ?? 0
  const userTags = text.match(/^\["pair\d+"/gm)?.length ?? 0
  assert.equal(accounts, userTags)
  assert.ok(pairs > accounts, 'the writer was not held up')
  // readers meanwhile see what is committed
  const { total } = await database.read
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  assert.equal(total, pairs)
})

const account = (n: number) => ({
  uuid: `account${n}`,
  name: `account${n}`,
  description: null,
  createDate: 1,
  lastOpDate: 1,
})
