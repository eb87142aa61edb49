import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { testEngine } from '@wharf/testkit'
import { checkLater } from './sqlite-check.ts'

const pageBytes = 4096

function someFile(t: TestContext): { file: string; database: DatabaseSync } {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-check-'))
  const file = join(folder, 'wharf.db')
  const database = new DatabaseSync(file)
  t.after(() => {
    if (database.isOpen) database.close()
    rmSync(folder, { recursive: true })
  })
  database.exec('pragma journal_mode = wal')
  for (const name of ['a', 'b', 'c']) {
    database.exec(
      `create table "${name}" ("x" integer primary key, "y" text); create index "${name}y" on "${name}" ("y")`,
    )
    const insert = database.prepare(`insert into "${name}" ("y") values (?)`)
    for (let n = 0; n < 100; n++) insert.run('y'.repeat(200))
  }
  return { file, database }
}

/** What a check reports; undefined when it reports nothing for so long. */
function reportOf(file: string, waitMs?: number, maxMs = 60_000): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const stop = checkLater(file, { onDamage: resolve, onFailure: resolve }, waitMs)
  return Promise.race([promise, once(AbortSignal.timeout(maxMs), 'abort').then(() => undefined)]).finally(stop)
}

if (testEngine === 'sqlite') {
  test('nothing is reported of a sound file, and between two tables the log can be reset', async (t) => {
    const { file, database } = someFile(t)
    assert.equal(await reportOf(file, 0, 1500), undefined)
    const report = reportOf(file, 60_000, 1500)
    await once(AbortSignal.timeout(1000), 'abort')
    assert.equal(database.prepare('pragma wal_checkpoint(truncate)').get()?.busy, 0)
    assert.equal(statSync(`${file}-wal`).size, 0)
    assert.equal(await report, undefined)
  })

  for (const what of ['a', 'cy', 'sqlite_schema'])
    test(`damage in ${what} is found`, async (t) => {
      const { file, database } = someFile(t)
      const root = database.prepare('select rootpage from sqlite_schema where name = ?').get(what)?.rootpage ?? 1
      database.close()
      const raw = openSync(file, 'r+')
      writeSync(raw, Buffer.alloc(500, 0xa5), 0, 500, (Number(root) - 1) * pageBytes + (root === 1 ? 100 : 0))
      closeSync(raw)
      const found = await reportOf(file, 0)
      assert.ok(Array.isArray(found) && found.length > 0 && found.length <= 5, String(found))
    })

  test('a check that is not possible is reported as such, once', async (t) => {
    const { file } = someFile(t)
    const report = await reportOf(`${file}.missing`)
    assert.ok(report instanceof Error)
    assert.match(report.message, /unable to open/)
  })

  test('a check that is stopped reports nothing', async (t) => {
    const { file } = someFile(t)
    const reports: unknown[] = []
    const note = (report: unknown) => void reports.push(report)
    checkLater(file, { onDamage: note, onFailure: note }, 0)()
    await once(AbortSignal.timeout(300), 'abort')
    assert.deepEqual(reports, [])
  })
}
