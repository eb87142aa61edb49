import assert from 'node:assert/strict'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openDatabase } from '@wharf/database/open.ts'
import { refuseDamaged } from '@wharf/database/sqlite-check.ts'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { readSettings } from '@wharf/server/composition/settings.ts'
import { backupCommand } from '@wharf/server/program/commands.ts'
import { assertFailure, reverseCleanup, serverEnvironment, TestServer, testEngine } from '@wharf/testkit'

const pageBytes = 4096

/** The data folder of a stopped server, and one after kill -9, with its log. */
async function leftData(): Promise<{ stopped: string; killed: string; environment: Record<string, string> }> {
  const cleanup = reverseCleanup({ after })
  const folder = mkdtempSync(join(tmpdir(), 'wharf-damage-'))
  cleanup.after(async () => rmSync(folder, { recursive: true }))
  const environment = await serverEnvironment(cleanup)
  const server = await TestServer.open(environment)
  const [stopped, killed] = [join(folder, 'stopped'), join(folder, 'killed')]
  for (let n = 0; n < 40; n++) await server.admin.post('/v1/tags', { params: { name: `tag ${n}` } })
  cpSync(environment.WHARF_DATA ?? '', killed, { recursive: true })
  await server.app.close()
  cpSync(environment.WHARF_DATA ?? '', stopped, { recursive: true })
  return { stopped, killed, environment }
}

function overwrite(path: string, from: number, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, from)
  closeSync(file)
}

const remove =
  (...names: string[]) =>
  (data: string) => {
    for (const name of names) rmSync(join(data, name), { force: true })
  }
const log = ['wharf.db-wal', 'wharf.db-shm']

type Row = [damage: string, of: 'stopped' | 'killed', work: (data: string) => void, refusal: RegExp]

const missing =
  /wharf\.db is missing, but this data folder was in use \(.*\): put it back, or restore a backup.*wharf-server init/
const damaged = /\.db is damaged \(.+\): move its files away and restore a backup/
const older = /this server wrote to it until .*: it is an older copy, or its wharf\.db-wal was lost/

const rows: Row[] = [
  ['the database is removed', 'stopped', remove('wharf.db'), missing],
  [
    'the database is removed, and of the rest only the key is left',
    'stopped',
    remove('wharf.db', 'node-uuid', 'bootstrap.json'),
    missing,
  ],
  ['the database is removed, and the key as well', 'stopped', remove('wharf.db', 'master.key'), missing],
  ['the database is removed after a kill', 'killed', remove('wharf.db'), missing],
  [
    'only the log of the database is left',
    'killed',
    remove('wharf.db', 'master.key', 'node-uuid', 'bootstrap.json'),
    missing,
  ],
  [
    'the database is truncated to nothing',
    'stopped',
    (data) => truncateSync(join(data, 'wharf.db')),
    /is empty, but this data folder was in use/,
  ],
  [
    'the log is removed after a kill',
    'killed',
    remove('wharf.db-wal'),
    /wharf\.db-wal is missing, and with it changes that were acknowledged/,
  ],
  ['the log and its index are removed after a kill', 'killed', remove(...log), older],
  ['the log is truncated to nothing after a kill', 'killed', (data) => truncateSync(join(data, 'wharf.db-wal')), older],
  ['the log is of another database', 'killed', otherLog, older],
  ['an older copy of an older version is in its place', 'killed', olderVersion, older],
  [
    'the file is not a database',
    'stopped',
    (data) => writeFileSync(join(data, 'wharf.db'), 'x'.repeat(40 * pageBytes)),
    /not a database/,
  ],
  [
    'another database without tables is in its place',
    'stopped',
    emptyDatabase,
    /no server has used the database .*move that file away/,
  ],
  [
    'the last half is cut off',
    'stopped',
    (data) => truncateSync(join(data, 'wharf.db'), statSync(join(data, 'wharf.db')).size / 2),
    damaged,
  ],
  [
    'the first page is zeroed',
    'stopped',
    (data) => overwrite(join(data, 'wharf.db'), 0, Buffer.alloc(pageBytes)),
    /not a database/,
  ],
  ['all pages but the first are noise', 'stopped', noise, damaged],
  ['the database is a folder', 'stopped', folderFor('wharf.db'), /wharf\.db is not a file, but .*restore a backup/],
  ['the database is a link to nothing', 'stopped', danglingLink, missing],
  ['the log is a folder', 'killed', folderFor('wharf.db-wal'), /wharf\.db-wal is not a file: move it away.*backup/],
  ['its index is a folder', 'killed', folderFor('wharf.db-shm'), /wharf\.db-shm is not a file: move it away.*backup/],
  ['the lock is a folder', 'stopped', folderFor('lock'), /lock is not a lock of wharf-server; stop every.*then delete/],
  ['the lock is noise', 'stopped', (data) => writeFileSync(join(data, 'lock'), 'x'.repeat(8192)), /lock is not a lock/],
  [
    'the node uuid is a folder',
    'stopped',
    folderFor('node-uuid'),
    /node-uuid cannot be read: illegal operation on a d/,
  ],
  ['last-write is a folder', 'killed', folderFor('last-write'), /last-write cannot be read: .*; delete it/],
  ['uploads is a file', 'stopped', fileFor('uploads'), /the folder .*uploads cannot be created: file already exists/],
  [
    'the database is of another node',
    'stopped',
    otherNode,
    /is that of management node a{32}, but .*node-uuid contains /,
  ],
  [
    'the database is of another key',
    'stopped',
    otherKey,
    /the key of this database, or put the database of this key b/,
  ],
  ['the key is missing', 'stopped', remove('master.key'), /needs the master key .*master\.key is missing: put it back/],
]

function folderFor(name: string): (data: string) => void {
  return (data) => {
    rmSync(join(data, name))
    mkdirSync(join(data, name))
  }
}

function fileFor(name: string): (data: string) => void {
  return (data) => {
    rmSync(join(data, name), { recursive: true })
    writeFileSync(join(data, name), '')
  }
}

function danglingLink(data: string): void {
  remove('wharf.db')(data)
  symlinkSync(join(data, 'missing', 'wharf.db'), join(data, 'wharf.db'))
}

function otherNode(data: string): void {
  const database = new DatabaseSync(join(data, 'wharf.db'))
  database.exec(`pragma foreign_keys = off; update "managementNodes" set "uuid" = '${'a'.repeat(32)}'`)
  database.close()
}

function otherKey(data: string): void {
  const database = new DatabaseSync(join(data, 'wharf.db'))
  database.exec(`update "settings" set "value" = 'of another key' where "name" = 'keyCheck'`)
  database.close()
}

/** Which page belongs to what differs from version to version, so each in turn is zeroed. */
const zeroedPages = 40

function emptyDatabase(data: string): void {
  remove('wharf.db')(data)
  const empty = new DatabaseSync(join(data, 'wharf.db'))
  empty.exec('create table "a" ("b"); drop table "a"')
  empty.close()
}

/** To migrate it would fail: its last migration was carried out already. */
function olderVersion(data: string): void {
  const database = new DatabaseSync(join(data, 'wharf.db'))
  database.exec(`update "managementNodes" set "lastOpDate" = 1;
    delete from "migrations" where "name" = (select max("name") from "migrations")`)
  database.close()
}

function otherLog(data: string): void {
  const other = join(data, 'other.db')
  const database = new DatabaseSync(other)
  database.exec('pragma journal_mode = wal; create table "a" ("b"); insert into "a" values (1)')
  cpSync(`${other}-wal`, join(data, 'wharf.db-wal'))
  database.close()
  remove('wharf.db-shm', 'other.db')(data)
}

function noise(data: string): void {
  const path = join(data, 'wharf.db')
  overwrite(path, pageBytes, Buffer.alloc(statSync(path).size - pageBytes, 0xa5))
}

if (testEngine === 'sqlite') {
  const left = await leftData()

  /** Starts a server on a copy to which something was done. */
  async function startOn(of: 'stopped' | 'killed', work: (data: string) => void): Promise<TestServer> {
    const data = `${left[of]}-copy`
    rmSync(data, { recursive: true, force: true })
    cpSync(left[of], data, { recursive: true })
    work(data)
    return TestServer.open({ ...left.environment, WHARF_DATA: data })
  }

  for (const [damage, of, work, refusal] of rows)
    test(`refuses to start when ${damage}, and changes nothing else`, async () => {
      const before = (data: string): string => readFileSync(join(data, 'bootstrap.json'), 'utf8')
      await assert.rejects(startOn(of, work), (error: Error) => {
        assert.ok(error instanceof OperatorError, String(error.stack))
        assert.match(error.message, refusal)
        assert.doesNotMatch(error.message, /\n/)
        return true
      })
      const copy = `${left[of]}-copy`
      if (existsSync(join(copy, 'bootstrap.json'))) assert.equal(before(copy), before(left[of]))
      if (refusal === missing) assert.equal(existsSync(join(copy, 'wharf.db')), false, 'no empty database')
      const had = readdirSync(left[of]).includes('last-write')
      assert.equal(readdirSync(copy).includes('last-write'), had)
    })

  test('starts on the data of a killed server, also when another program has opened the database since', async () => {
    for (const work of [() => {}, openAndClose, remove('wharf.db-shm')]) {
      const server = await startOn('killed', work)
      assert.equal((await server.admin.get('/v1/tags?count=true')).body.total, 40)
      assert.equal((await server.anonymous.get('/readyz')).status, 200)
      await server.app.close()
      assert.deepEqual(
        readdirSync(server.environment.WHARF_DATA ?? '').filter((name) => /last-write|wharf/.test(name)),
        ['wharf.db'],
      )
    }
  })

  test('a database on another disk, by a link, is used with its log, and a lost node uuid is that of the database', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'wharf-linked-'))
    after(() => rmSync(disk, { recursive: true }))
    let uuid = ''
    const server = await startOn('stopped', (data) => {
      renameSync(join(data, 'wharf.db'), join(disk, 'wharf.db'))
      symlinkSync(join(disk, 'wharf.db'), join(data, 'wharf.db'))
      uuid = readFileSync(join(data, 'node-uuid'), 'utf8')
      remove('node-uuid')(data)
    })
    const data = server.environment.WHARF_DATA ?? ''
    assert.equal(readFileSync(join(data, 'node-uuid'), 'utf8'), uuid)
    assert.equal((await server.admin.get('/v1/tags?count=true')).body.total, 40)
    assert.equal((await server.anonymous.get('/readyz')).status, 200)
    assert.deepEqual(readdirSync(disk).sort(), ['wharf.db', 'wharf.db-shm', 'wharf.db-wal'])
    await server.app.close()
    assert.deepEqual(readdirSync(disk), ['wharf.db'])
  })

  function openAndClose(data: string): void {
    const database = new DatabaseSync(join(data, 'wharf.db'))
    database.exec('select count(*) from "tags"')
    database.close()
    assert.deepEqual(
      log.map((name) => existsSync(join(data, name))),
      [false, false],
    )
  }

  test('detects every zeroed page that is in use', async () => {
    const whole = readFileSync(join(left.stopped, 'wharf.db'))
    const data = `${left.stopped}-zeroed`
    mkdirSync(data)
    const path = join(data, 'wharf.db')
    const open = async (): Promise<void> => {
      const database = await openDatabase({ data })
      await refuseDamaged(database, path).finally(() => database.close())
    }
    const pages = whole.length / pageBytes
    assert.ok(pages > zeroedPages, `${pages}`)
    for (let page = 1; page < zeroedPages; page++) {
      writeFileSync(path, whole)
      overwrite(path, page * pageBytes, Buffer.alloc(pageBytes))
      await assert.rejects(open(), damaged, `page ${page}`)
    }
  })

  test('a backup is refused for damaged rows and not for a damaged index', async () => {
    const data = `${left.stopped}-backup`
    const settings = readSettings({ ...left.environment, WHARF_DATA: data }, { root: data })
    const file = join(data, 'backup.gz')
    for (const [kind, isRefused] of [
      ['index', false],
      ['table', true],
    ] as const) {
      rmSync(data, { recursive: true, force: true })
      cpSync(left.stopped, data, { recursive: true })
      const raw = new DatabaseSync(join(data, 'wharf.db'))
      const roots = raw.prepare(`select rootpage from sqlite_schema where tbl_name = 'tags' and type = ?`).all(kind)
      raw.close()
      assert.ok(roots.length > 0)
      for (const { rootpage } of roots)
        overwrite(join(data, 'wharf.db'), (Number(rootpage) - 1) * pageBytes, Buffer.alloc(pageBytes))
      if (isRefused) await assert.rejects(backupCommand(settings, file), damaged)
      else await backupCommand(settings, file)
      assert.equal(existsSync(file), !isRefused)
    }
  })

  test('damage found at run time returns its own code and makes the node not ready', async (t) => {
    const server = await startOn('stopped', () => {})
    t.after(() => server.app.close())
    const file = join(server.environment.WHARF_DATA ?? '', 'wharf.db')
    const raw = new DatabaseSync(file)
    const roots = raw.prepare(`select rootpage from sqlite_schema where tbl_name = 'systemTags'`).all()
    raw.close()
    for (const { rootpage } of roots as { rootpage: number }[])
      overwrite(file, (rootpage - 1) * pageBytes, Buffer.alloc(pageBytes, 0xa5))
    assertFailure(await server.admin.get('/v1/system-tags?q=tag~=%25a%25'), { status: 500, code: 'SYS.1018' })
    assertFailure(await server.anonymous.get('/readyz'), {
      status: 503,
      code: 'SYS.1010',
      details: /database is damaged/,
    })
    assert.match(server.logText, /"err".*malformed/)
    assert.equal((await server.anonymous.get('/healthz')).status, 200)
  })
}
