import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { environmentOf, runCaptured } from '../captured-io.ts'

test('what is being typed is completed', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  await server.admin.post('/v1/tags', { params: { name: 'two words' } })
  const rows: [string[], string[]][] = [
    [['pack'], ['package']],
    [['package', 'un'], ['uninstall']],
    [['chat', 'endpoint', 'a'], ['add']],
    [['package', 'upload', 'x', '--back'], ['--backup-storage']],
    [['-o', 'nd'], ['ndjson']],
    [['host', 'list', '--output', 'j'], ['json']],
    [
      ['host', 'add', 'x', '--driver', ''],
      ['ssh', 'local'],
    ],
    [['host', 'show', 'thi'], ['this-node']],
    [['host', 'show', 'this-node', ''], []],
    [['--json', 'host', 'disable', ''], ['this-node']],
    [['package', 'upload', 'x', '--host', ''], ['this-node']],
    [['package', 'upload', 'x', '--type', 'demo', '--backup-storage', 'loc'], ['local-folder']],
    [['completion', 'z'], ['zsh']],
    [['call', 'tags.cr'], ['tags.create']],
    [['nothing', 'of', 'that'], []],
  ]
  for (const [words, expected] of rows) {
    const { stdout, stderr } = await runCaptured(['__complete', ...words], { env })
    assert.deepEqual(stdout.split('\n').slice(0, -1), expected, words.join(' '))
    assert.equal(stderr, '')
  }
})

test('without a server, commands are completed all the same', async () => {
  assert.equal((await runCaptured(['__complete', 'host', 'show', ''])).stdout, '')
  assert.equal((await runCaptured(['__complete', 'host', 'sh'])).stdout, 'show\n')
})
