import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { afterCommit } from './database.ts'
import { migrate, openDatabase } from './open.ts'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-sqlite-'))
after(() => rmSync(folder, { recursive: true }))
const newFile = (): string => join(mkdtempSync(join(folder, 'data-')), 'wharf.db')

test('every commit is synced, in a log beside the file', async () => {
  const database = openSqlite(newFile())
  const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database.writer)
  const { rows: sync } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database.writer)
  assert.deepEqual([rows[0]?.journal_mode, sync[0]?.synchronous], ['wal', 2])
  await database.close()
})

test('foreign keys are kept', async () => {
  const database = openSqlite(newFile())
  await migrate(database)
  const orphan = database.transaction((tx) =>
    tx.insertInto('jobLogs').values({ jobUuid: 'none', sequence: 1, at: 0, line: '' }).execute(),
  )
  await assert.rejects(orphan, /FOREIGN KEY/)
  await database.close()
})

test('what fails after a commit is reported, whatever was thrown, and is not a failure of the commit', async () => {
  const reports: unknown[] = []
  const database = openSqlite(newFile(), undefined, (error) => void reports.push(error))
  const done: string[] = []
  await database.transaction(async (tx) => {
    for (const thrown of [new Error('one'), 'two', undefined])
      afterCommit(tx, () => {
        throw thrown
      })
    afterCommit(tx, () => done.push('last'))
  })
  assert.deepEqual([reports.map(String), done], [['Error: one', 'two', 'undefined'], ['last']])
  await database.close()
})

test('the reader cannot write, and has no transactions', async () => {
  const database = openSqlite(newFile())
  await migrate(database)
  const writing = database.read.insertInto('settings').values({ name: 'a', value: '' }).execute()
  await assert.rejects(writing, /readonly database/)
  const transaction = database.read.transaction().execute((tx) => tx.selectFrom('settings').selectAll().execute())
  await assert.rejects(transaction, /only the writer has transactions/)
  await database.close()
})

test('closing leaves one file, also when only the writer was used', async () => {
  const uses: Record<string, (database: ReturnType<typeof openSqlite>) => Promise<unknown>> = {
    writer: (database) => migrate(database),
    both: async (database) => {
      await migrate(database)
      await database.read.selectFrom('settings').selectAll().execute()
    },
  }
  for (const [name, use] of Object.entries(uses)) {
    const file = newFile()
    const database = openSqlite(file)
    await use(database)
    await database.close()
    assert.deepEqual(readdirSync(join(file, '..')), ['wharf.db'], name)
  }
})

test('more distinct statements than are cached return correct rows', async () => {
  const database = openSqlite(newFile())
  await migrate(database)
  for (let n = 0; n < 1200; n++) {
    const { rows } = await sql<{ n: number }>`select ${sql.lit(n)} as "n"`.execute(database.read)
    assert.equal(rows[0]?.n, n)
  }
  await database.close()
})

test('a file that is not a database is named in one line', async () => {
  const data = mkdtempSync(join(folder, 'data-'))
  writeFileSync(join(data, 'wharf.db'), 'this is a text and not a database'.repeat(100))
  await assert.rejects(
    openDatabase({ data }),
    /^OperatorError: the database .*wharf\.db is damaged \(file is not a database\): .*restore a backup/,
  )
})

test('committed rows exist after kill -9', async () => {
  const file = newFile()
  const program = `
    import { migrate } from ${JSON.stringify(import.meta.resolve('./open.ts'))}
    import { openSqlite } from ${JSON.stringify(import.meta.resolve('./sqlite.ts'))}
    const database = openSqlite(${JSON.stringify(file)})
    await migrate(database)
    for (let n = 1; n <= 100; n++)
      await database.transaction((tx) => tx.insertInto('settings').values({ name: 'n' + n, value: '' }).execute())
    process.stdout.write('committed', () => process.kill(process.pid, 'SIGKILL'))`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  assert.equal(signal, 'SIGKILL')
  const database = openSqlite(file)
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from "settings"`.execute(database.read)
  assert.equal(rows[0]?.count, 100)
  await database.close()
})
