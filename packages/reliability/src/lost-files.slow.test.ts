import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { reverseCleanup, runServerProgram, ServerProcess, sampled, serverEnvironment, testEngine } from '@wharf/testkit'

async function startServer(t: TestContext) {
  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup)
  const server = new ServerProcess(environment)
  cleanup.after(() => server.kill())
  await server.start()
  return { environment, server, data: environment.WHARF_DATA ?? '' }
}

const replace = (path: string): void => {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

type Row = [fault: string, work: (data: string) => void, line: RegExp]

const bothEngineRows: Row[] = [['the lock is removed', (data) => rmSync(join(data, 'lock')), /lock was removed/]]
const sqliteRows: Row[] = [
  ['the database is removed', (data) => rmSync(join(data, 'wharf.db')), /wharf\.db was removed/],
  ['the database is replaced by a copy', (data) => replace(join(data, 'wharf.db')), /wharf\.db was replaced/],
  ['the log is removed', (data) => rmSync(join(data, 'wharf.db-wal')), /wharf\.db-wal was (removed|replaced)/],
  ['the database is truncated', (data) => truncateSync(join(data, 'wharf.db'), 8192), /wharf\.db was truncated/],
  ['the log is emptied', (data) => truncateSync(join(data, 'wharf.db-wal')), /wharf\.db-wal was truncated/],
  ['the log loses its end', (data) => shorten(join(data, 'wharf.db-wal')), /wharf\.db-wal was truncated/],
]

const shorten = (path: string): void => truncateSync(path, statSync(path).size - 4096)

for (const [fault, work, line] of [...bothEngineRows, ...(testEngine === 'sqlite' ? sampled(sqliteRows) : [])])
  test(`when ${fault} while a server runs, it exits within seconds and logs the reason`, async (t) => {
    const { server, data } = await startServer(t)
    await server.admin.post('/v1/tags', { params: { name: 'before' } })
    work(data)
    // a write that follows must not hide what is lost
    if (String(line).includes('wal was truncated')) {
      const written = await server.admin.post('/v1/tags', { params: { name: 'after' } }).catch(() => undefined)
      assert.notEqual(written?.status, 200)
    }
    // reads of lost files must not end it by a signal before it has logged the reason
    await Promise.allSettled([server.admin.get('/v1/tags'), server.admin.get('/v1/tags?q=name~=%25a%25')])
    await server.ended(10_000)
    assert.equal(await server.exitCode(), 1)
    const fatal = server.stderr.split('\n').filter((text) => text.includes('"level":"fatal"'))
    assert.equal(fatal.length, 1, server.stderr)
    assert.match(fatal[0] ?? '', line)
    assert.match(fatal[0] ?? '', fault === 'the lock is removed' ? /make sure that none does/ : /restore a backup/)
  })

if (testEngine === 'sqlite') {
  test('commands refuse a lost database, a restore one that was not closed, and init creates an empty one', async (t) => {
    const { environment, server, data } = await startServer(t)
    const backupFile = join(dirname(data), 'backup.gz')
    assert.equal((await runServerProgram(environment, ['backup', backupFile])).code, 0)
    assert.deepEqual(await runServerProgram(environment, ['check']), {
      code: 0,
      stdout: 'The database is intact.\n',
      stderr: '',
    })
    const { accessKeyId } = server.bootstrap
    await server.kill()
    const left = join(dirname(data), 'left')
    const names = ['wharf.db', 'wharf.db-wal', 'wharf.db-shm']
    renameSync(join(data, 'wharf.db-wal'), left)
    const unclosed = await runServerProgram(environment, ['restore', backupFile])
    assert.equal(unclosed.code, 1)
    assert.match(unclosed.stderr, /has not closed it: move wharf\.db\* away first/)
    assert.deepEqual(
      names.map((name) => existsSync(join(data, name))),
      [true, false, true],
      'it changes no file',
    )
    renameSync(left, join(data, 'wharf.db-wal'))
    renameSync(join(data, 'wharf.db'), left)

    const before = readFileSync(join(data, 'bootstrap.json'), 'utf8')
    const commands = [
      [],
      ['migrate'],
      ['migrate', '--check'],
      ['backup', `${backupFile}.2`],
      ['check'],
      ['reset-password'],
    ]
    for (const args of sampled(commands)) {
      const { code, stdout, stderr } = await runServerProgram(environment, args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(
        stderr,
        /^wharf-server: the database .*wharf\.db is missing, .*restore a backup.*wharf-server init.*\n$/,
      )
    }
    for (const args of [['init'], ['restore', backupFile]])
      assert.match(
        (await runServerProgram(environment, args)).stderr,
        /wharf\.db-wal exists without its database: move it away/,
      )
    assert.equal(existsSync(join(data, 'wharf.db')), false)
    assert.equal(readFileSync(join(data, 'bootstrap.json'), 'utf8'), before)

    for (const name of names) rmSync(join(data, name), { force: true })
    const restored = await runServerProgram(environment, ['restore', backupFile])
    assert.deepEqual([restored.code, restored.stderr], [0, ''])
    await server.start()
    assert.equal(server.bootstrap.accessKeyId, accessKeyId)
    assert.equal((await server.admin.get('/v1/hosts')).status, 200)
    await server.kill()

    for (const name of names) rmSync(join(data, name), { force: true })
    const init = await runServerProgram(environment, ['init'])
    assert.equal(init.stderr, '')
    assert.match(
      init.stdout,
      /^Created an empty database in .*The former credentials are in .*bootstrap\.json\.\w+\.\nStart/,
    )
    assert.match((await runServerProgram(environment, ['init'])).stderr, /wharf\.db exists: move it away first/)
    await server.start()
    assert.notEqual(server.bootstrap.accessKeyId, accessKeyId)
    assert.equal((await server.admin.get('/v1/hosts')).status, 200)
  })

  test('commands refuse a damaged database with one line', async (t) => {
    const environment = await serverEnvironment(t)
    const data = environment.WHARF_DATA ?? ''
    writeFileSync(
      join(data, 'wharf.db'),
      Buffer.concat([readFileSync(join(data, 'wharf.db')).subarray(0, 8192), Buffer.alloc(200_000)]),
    )
    for (const args of sampled([
      ['migrate'],
      ['backup', join(dirname(data), 'b')],
      ['check'],
      ['reset-password'],
      [],
    ])) {
      const { code, stdout, stderr } = await runServerProgram(environment, args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(
        stderr,
        /^wharf-server: the database .*wharf\.db is damaged \(.*restore a backup.*\n$/,
        args.join(' '),
      )
    }
  })
}
