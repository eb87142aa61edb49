import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'

test('several names', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const home = freshHome(t)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  const createTags = async (...names: string[]): Promise<void> => {
    for (const name of names) assert.equal((await wharf('tag', 'create', name)).code, 0)
  }

  await t.test('each has a result, and a failure does not stop the others', async () => {
    await createTags('a', 'b', 'c')
    const { code, stdout, stderr } = await wharf('tag', 'delete', 'a', 'nope', 'b', 'a')
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.equal(stderr, 'error: no tag named nope\nDeleted a.\nDeleted b.\nerror: 1 of 3 failed: nope\n')
    assert.equal((await wharf('tag', 'list', '-o', 'name')).stdout, 'c\n')
  })

  await t.test('programs get one list of results', async () => {
    await createTags('d', 'e')
    const { code, stdout } = await wharf('tag', 'delete', 'd', 'e', 'nope', '--json')
    assert.equal(code, 1)
    assert.deepEqual(
      JSON.parse(stdout).map(({ uuid: _, ...result }: Record<string, unknown>) => result),
      [
        { name: 'nope', succeeded: false, error: 'no tag named nope' },
        { name: 'd', succeeded: true, deleted: true },
        { name: 'e', succeeded: true, deleted: true },
      ],
    )
  })

  await t.test('all that exist are changed', async () => {
    for (const name of ['one', 'two']) assert.equal((await wharf('alert', 'platform', 'create', name)).code, 0)
    const { code, stderr } = await wharf('alert', 'platform', 'disable', 'one', 'two')
    assert.deepEqual([code, stderr], [0, 'Disabled one.\nDisabled two.\n'])
    assert.equal(
      (await wharf('alert', 'platform', 'list', '-o', 'jsonpath={.items[*].state}')).stdout,
      'Disabled Disabled\n',
    )
    assert.equal((await wharf('alert', 'platform', 'enable', 'two', 'one')).code, 0)
  })

  await t.test('an error of the server names its record', async () => {
    const { code, stderr } = await wharf('account', 'delete', 'admin', 'absent')
    assert.equal(code, 1)
    assert.match(stderr, /error: no account named absent\nerror: admin failed: SYS\.1004 /)
  })

  await t.test('nothing changes when a confirmation is missing', async () => {
    for (const [index, name] of ['quiet', 'watched'].entries())
      await wharf('cluster', 'add', name, '--address', '127.0.0.1', '--port', String(8056 + index))
    assert.equal((await wharf('cluster', 'alerts', 'watched', '--receive')).code, 0)
    const refused = await wharf('cluster', 'remove', 'quiet', 'watched')
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /Wharf receives alerts of cluster watched; cannot prompt/)
    assert.equal((await wharf('cluster', 'list', '-o', 'name')).stdout, 'quiet\nwatched\n')
    const removed = await wharf('cluster', 'remove', 'quiet', 'watched', '--yes', '--quiet')
    assert.deepEqual([removed.code, (await wharf('cluster', 'list', '-o', 'name')).stdout], [0, ''])
  })

  await t.test('an unreachable server ends the command at once', async () => {
    const unreachable = { ...env, WHARF_URL: 'http://127.0.0.1:1' }
    const { code, stderr } = await runCaptured(['tag', 'delete', 'a', 'b', 'c'], { env: unreachable, home })
    assert.equal(code, 1)
    assert.equal(stderr.match(/error:/g)?.length, 1, stderr)
  })

  await t.test('both spellings of a verb work', async () => {
    for (const argv of [
      ['tag', 'add', 'f'],
      ['tag', 'remove', 'f'],
      ['tag', 'ls'],
    ])
      assert.equal((await wharf(...argv)).code, 0, argv.join(' '))
    assert.match((await wharf('host', 'delete', 'absent')).stderr, /no host named absent/)
    assert.match((await wharf('storage', 'create')).stderr, /missing required argument/)
  })
})
