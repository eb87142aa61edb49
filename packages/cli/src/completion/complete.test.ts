import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Wharf } from '@wharf/sdk'
import { TestServer, TrialTrace, trialOperations } from '@wharf/testkit'
import { type NamedKind, namedKinds } from '../names/record-kinds.ts'
import { environmentOf, runCaptured } from '../testing/captured-io.ts'
import { interceptingServer } from '../testing/intercepting-server.ts'
import { newestNames } from './complete.ts'

test('completes the last word', async (t) => {
  const server = await TestServer.start(t, { extend: trialOperations })
  const env = environmentOf(server.bootstrap)
  await server.admin.post('/v1/tags', { params: { name: 'two words' } })
  for (const [index, name] of ['disk-0', 'disk-1', 'cool', '100%_sure'].entries()) {
    const endpoint = ['--address', '127.0.0.1', '--port', String(8056 + index)]
    assert.equal((await runCaptured(['cluster', 'add', name, ...endpoint], { env })).code, 0)
  }
  const script = JSON.stringify({ trace: new TrialTrace(t).file })
  const { body } = await server.admin.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
  const job = new URL(String(body.location)).pathname.split('/').at(-1) ?? ''
  const rows: [string[], string[]][] = [
    [['pack'], ['package']],
    [['package', 'un'], ['uninstall']],
    [['chat', 'endpoint', 'cr'], ['create']],
    [['chat', 'endpoint', 'add', 'x', 'y', '--lang'], ['--language']],
    [['package', 'upload', 'x', '--back'], ['--backup-storage']],
    [['-o', 'nd'], ['ndjson']],
    [
      ['host', 'list', '--output', 'n'],
      ['ndjson', 'name'],
    ],
    [
      ['host', 'add', 'x', '--driver', ''],
      ['ssh', 'local'],
    ],
    [['host', 'show', 'thi'], ['this-node']],
    [['host', 'show', 'this-node', ''], []],
    [['--json', 'host', 'disable', ''], ['this-node']],
    [['package', 'upload', 'x', '--host', ''], ['this-node']],
    [['package', 'upload', 'x', '--type', 'demo', '--backup-storage', 'loc'], ['local-folder']],
    [
      ['cluster', 'remove', 'disk'],
      ['disk-1', 'disk-0'],
    ],
    [['cluster', 'remove', '100%_'], ['100%_sure']],
    [['job', 'show', job.slice(0, 5)], [job]],
    [['completion', 'z'], ['zsh']],
    [['call', 'tags.cr'], ['tags.create']],
    [['call', 'tags.create', 'na'], ['name=']],
    [['call', 'tags.create', 'name=blue', 'na'], []],
    [
      ['call', 'hosts.changeState', 'uuid=web-1', 's'],
      ['stateEvent=enable', 'stateEvent=disable'],
    ],
    [['call', 'no.such', ''], []],
    [['tag', 'show', 'two'], ['two words']],
    [['cluster', 'remove', 'disk-0', 'disk'], ['disk-1']],
    [['open', 'ho'], ['host']],
    [['open', 'host', ''], ['this-node']],
    [['host', 'list', '-o', 'jsonp'], ['jsonpath=']],
    [['host', 'list', '--output=nd'], ['--output=ndjson']],
    [['package', 'upload', 'x', '--host=thi'], ['--host=this-node']],
    [['host', 'list', '--watch=x'], []],
    [['events', '--resource', 'Sof'], ['SoftwarePackage']],
    [['unknown', 'command'], []],
  ]
  for (const [words, expected] of rows) {
    const { stdout, stderr } = await runCaptured(['__complete', ...words], { env })
    assert.deepEqual(stdout.split('\n').slice(0, -1), expected, words.join(' '))
    assert.equal(stderr, '')
  }

  const described: [string[], string][] = [
    [['host', 'dis'], 'disable\tDisable a host\n'],
    [['host', 'list', '--so'], '--sort\tsort by +field (ascending) or -field (descending)\n'],
    [['host', 'show', ''], 'this-node\t127.0.0.1, Connected\n'],
    [['call', 'tags.cr'], 'tags.create\tCreate a tag, which other operations attach by tagUuids\n'],
    [['call', 'tags.create', 'col'], 'color=\tA colour name or #rrggbb\n'],
    [['call', 'tags.create', 'nam'], 'name=\trequired: A name of at most 255 characters\n'],
    [['call', 'tags.delete', 'uu'], 'uuid=\trequired: identifies the record\n'],
    [['completion', 'z'], 'zsh\n'],
  ]
  for (const [words, expected] of described)
    assert.equal((await runCaptured(['__describe', ...words], { env })).stdout, expected, words.join(' '))
})

test('completes virtual machines of the gateway, without names that would control the terminal', async (t) => {
  const gatewayVmInstances = [
    { name: 'gateway-1' },
    { name: 'other' },
    { name: 'gate\u001b[2J' },
    { name: 'gate\nway' },
  ]
  const url = await interceptingServer(t, 'http://127.0.0.1', () => Response.json({ gatewayVmInstances }))
  const env = environmentOf({ url, accessKeyId: 'id', accessKeySecret: 'secret' })
  const { stdout } = await runCaptured(['__complete', 'migrate', 'vms', 'delete', 'ga'], { env })
  assert.equal(stdout, 'gateway-1\n')
})

test('queries names of every kind by prefix', async (t) => {
  const server = await TestServer.start(t)
  const { url, accessKeyId: id, accessKeySecret: secret } = server.bootstrap
  const wharf = new Wharf({ url, accessKey: { id, secret } })
  for (const kind of Object.keys(namedKinds) as NamedKind[])
    assert.ok(Array.isArray(await newestNames(wharf, kind, 'x')), kind)
})

test('completes commands without a server', async () => {
  assert.equal((await runCaptured(['__complete', 'host', 'show', ''])).stdout, '')
  assert.equal((await runCaptured(['__complete', 'host', 'sh'])).stdout, 'show\n')
})
