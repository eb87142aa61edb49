import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { AlertPlatformFixture, ChatReceiver, TestServer } from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives/tar-builder.ts'
import { run } from '../run.ts'
import { CapturedIo, environmentOf, freshHome, runCaptured } from '../testing/captured-io.ts'

test('commands for records', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' } })
  const env = environmentOf(server.bootstrap)
  const lab = await AlertPlatformFixture.create(server, 'lab')
  const home = freshHome(t)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  const json = async (...argv: string[]) => {
    const { code, stdout, stderr } = await wharf(...argv, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }

  await t.test('management nodes', async () => {
    const { stdout } = await wharf('node', 'list', '--columns', 'status,version')
    assert.match(stdout, /^STATUS +VERSION\nAlive +\d+\.\d+/)
    const [name = ''] = (await wharf('node', 'list', '-o', 'name')).stdout.split('\n')
    assert.match((await wharf('node', 'show', name)).stdout, /^status +Alive$/m)
    const { stdout: key } = await wharf('node', 'ssh-key')
    assert.match(key, /^ssh-ed25519 \S+.*\n$/)
    assert.equal((await wharf('node', 'ssh-key', name)).stdout, key)
  })

  await t.test('tags and the records that have them', async () => {
    const tag = await json('tag', 'create', 'production', '--color', 'green')
    assert.match((await wharf('tag', 'uses', 'production')).stderr, /No record has the tag production\./)
    const created = await json(
      'call',
      'alertPlatforms.create',
      'name=tagged',
      'type=Alertmanager',
      `tagUuids=${tag.uuid}`,
    )
    assert.equal(
      (await wharf('tag', 'uses', 'production', '--columns', 'name,resourceUuid')).stdout,
      `NAME    RESOURCE UUID\ntagged  ${created.inventory.uuid}\n`,
    )
    assert.match((await wharf('tag', 'show', 'production')).stdout, /^color +green$/m)
    assert.equal((await wharf('tag', 'attach', 'host', 'this-node', 'production', 'any text')).code, 0)
    const uses = async (text: string) => (await wharf('tag', 'uses', text, '--columns', 'resourceType')).stdout
    assert.equal(await uses('production'), 'RESOURCE TYPE\nHost\nThirdPartyPlatform\n')
    assert.equal(await uses('any text'), 'RESOURCE TYPE\nHost\n')
    assert.equal((await wharf('tag', 'delete', 'production')).code, 0)
    assert.equal(await uses('production'), '')
  })

  await t.test('audit entries of a record are found by each name that it had', async () => {
    const window = ['selector=[]', 'cron=0 2 * * *', 'durationMinutes=60', 'cutoffMinutes=0', 'timeZone=UTC']
    const { uuid } = await json('call', 'maintenanceWindows.create', 'name=nightly', ...window)
    await json('call', 'maintenanceWindows.update', `uuid=${uuid}`, 'name=weekly')
    for (const name of ['nightly', 'weekly']) {
      const entries: { operation: string }[] = await json('audit', 'list', '--record', name)
      assert.deepEqual(
        entries.map(({ operation }) => operation),
        ['UpdateMaintenanceWindow', 'CreateMaintenanceWindow'],
      )
    }
    assert.deepEqual(await json('audit', 'list', '--record', 'never'), [])
  })

  await t.test('an audit entry is shown with names in place of uuids', async () => {
    const [entry] = await json('audit', 'list', '--operation', 'CreateTag', '--limit', '1')
    const { stdout } = await wharf('audit', 'show', entry.uuid)
    assert.match(stdout, /^account +admin$/m)
    assert.match(stdout, /^user +admin$/m)
    assert.doesNotMatch(stdout, /^(account|user|managementNode)Uuid /m)
  })

  await t.test('releases', async () => {
    const archive = (version: string): string => {
      const manifest = { name: 'hello', version, type: 'demo', install: { run: ['./install.sh'] } }
      const program = { ...file('install.sh', '#!/bin/sh\n'), mode: 0o755 }
      const path = join(home, `hello-${version}.tar`)
      writeFileSync(path, tarOf(file('wharf.json', JSON.stringify(manifest)), program))
      return path
    }
    const first = await json('release', 'publish', archive('1.0.0'), '--description', 'the first')
    assert.partialDeepStrictEqual(first, { name: 'hello', version: '1.0.0', state: 'Published' })
    // an interrupted publication is repeated without a second upload
    assert.equal((await json('release', 'publish', join(home, 'hello-1.0.0.tar'))).uuid, first.uuid)
    await json('release', 'publish', archive('1.10.0'))
    await json('release', 'publish', archive('1.9.0'))
    assert.match((await wharf('release', 'show', 'hello')).stdout, /^version +1\.10\.0$/m)
    assert.match((await wharf('release', 'show', 'hello@1.0.0')).stdout, /^installedOn +no host$/m)
    assert.match((await wharf('release', 'show', 'hello@2')).stderr, /no release hello@2\n.*1\.0\.0, 1\.10\.0, 1\.9\.0/)
    assert.match((await wharf('release', 'retire', 'hello')).stderr, /hello names no version\n.*use hello@VERSION/)
    assert.equal((await wharf('release', 'retire', 'hello@1.10.0')).code, 0)
    assert.match(
      (await wharf('release', 'publish', join(home, 'hello-1.10.0.tar'))).stderr,
      /hello@1\.10\.0 exists .* is retired/,
    )
    assert.match((await wharf('release', 'show', 'hello')).stdout, /^version +1\.9\.0$/m)
    assert.equal(
      (await wharf('release', 'list', '--columns', 'name,version')).stdout,
      'NAME   VERSION\nhello  1.10.0\nhello  1.9.0\nhello  1.0.0\n',
    )
    const otherType = await wharf('release', 'publish', join(home, 'hello-1.0.0.tar'), '--type', 'other')
    assert.equal(otherType.code, 2)
    assert.match(otherType.stderr, /--type other: the wharf\.json of .*hello-1\.0\.0\.tar has the type demo/)
    const completions = async (...words: string[]) =>
      (await wharf('__complete', ...words)).stdout.split('\n').slice(0, -1).sort()
    assert.deepEqual(await completions('release', 'show', 'hello@1.1'), ['hello@1.10.0'])
    assert.deepEqual(await completions('release', 'show', 'hel'), ['hello@1.0.0', 'hello@1.10.0', 'hello@1.9.0'])
    assert.deepEqual(await completions('package', 'upload', 'release://hello@1.0'), ['release://hello@1.0.0'])
    assert.deepEqual(await completions('package', 'upload', 'hel'), [])
    assert.equal((await wharf('release', 'delete', 'hello@1.10.0', 'hello@1.9.0')).code, 0)
    assert.equal(
      (await wharf('release', 'list', '--columns', 'version,state')).stdout,
      'VERSION  STATE\n1.0.0    Published\n',
    )
  })

  await t.test('a template is previewed with an example or an alert', async () => {
    assert.equal((await wharf('alert', 'platform', 'create', 'prod')).code, 0)
    const template = ['--template', 'Alert {{ alert.name }}']
    const alert = ['--alert', '{"labels": {"alertname": "HighLoad"}}']
    const { code, stdout, stderr } = await wharf('alert', 'platform', 'preview', 'prod', ...template, ...alert)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /HighLoad/)
    assert.notEqual((await wharf('alert', 'platform', 'preview', 'prod')).stdout, '')
    assert.match(
      (await wharf('alert', 'platform', 'preview', 'prod', '--alert', '{')).stderr,
      /--alert is not valid JSON/,
    )
  })

  await t.test('alerts are listed by platform and shown with its name', async () => {
    assert.equal((await lab.send({ name: 'HighLoad' })).status, 200)
    const columns = ['--columns', 'name,severity,platform']
    const expected = 'NAME      SEVERITY  PLATFORM\nHighLoad  critical  lab\n'
    assert.equal((await wharf('alert', 'list', '--platform', 'lab', '--firing', ...columns)).stdout, expected)
    assert.equal((await wharf('alert', 'list', '--platform', 'prod')).stderr, 'No alerts.\n')
    assert.match((await wharf('alert', 'show', 'HighLoad')).stdout, /^platform +lab$/m)
  })

  await t.test('alerts are acknowledged and silenced', async () => {
    assert.equal((await wharf('alert', 'ack', 'HighLoad', '--comment', 'on it')).stderr, 'Acknowledged HighLoad.\n')
    assert.match((await wharf('alert', 'show', 'HighLoad')).stdout, /^acknowledgeComment +on it$/m)
    const silence = ['alert', 'silence', 'HighLoad', '--comment', 'load test']
    assert.match((await wharf(...silence, '--for', '2h')).stderr, /^Silenced HighLoad until \w+ \d+, \d{4} /)
    assert.equal((await wharf('alert', 'unsilence', 'HighLoad')).stderr, 'Ended the silence of HighLoad.\n')
    for (const [argv, message] of [
      [silence, /pass either --for or --until/],
      [[...silence, '--for', '2h', '--until', 'tomorrow'], /pass either --for or --until/],
      [[...silence, '--for', '2 weeks'], /invalid --for 2 weeks/],
      [['alert', 'silence', 'HighLoad', '--for', '2h'], /required option '--comment <text>'/],
    ] as const) {
      const { code, stderr } = await wharf(...argv)
      assert.equal(code, 2, stderr)
      assert.match(stderr, message)
    }
  })

  await t.test('a failed delivery is listed with its reason and sent again', async () => {
    const chat = await ChatReceiver.start(t)
    const url = chat.webhookUrl('Slack', 'ops', { status: 404, body: 'no_service' })
    assert.equal((await wharf('chat', 'endpoint', 'create', 'ops', url, '--type', 'Slack')).code, 0)
    assert.equal((await lab.send({ name: 'DiskFull' })).status, 200)
    const failed = ['delivery', 'list', '--query', 'status=Failed']
    const find = async (): Promise<string> => (await wharf(...failed, '-o', 'name')).stdout.trim()
    for (const end = performance.now() + 10_000; (await find()) === ''; await delay(50))
      assert.ok(performance.now() < end, (await wharf('delivery', 'list')).stdout)
    assert.match((await wharf(...failed, '--columns', 'endpoint,status,reason')).stdout, /\nops +Failed +\S.*404/)
    const uuid = await find()
    assert.match((await wharf('delivery', 'show', uuid)).stdout, /^alert +DiskFull$/m)
    assert.match((await wharf('delivery', 'resend', uuid)).stderr, /^Sending again: .*DiskFull/)
    await chat.waitForMessages('ops', 1)
    assert.equal((await wharf('chat', 'endpoint', 'disable', 'ops')).stderr, 'Disabled ops.\n')
  })

  await t.test('an endpoint subscribes to events of Wharf itself, and an example is sent', async () => {
    const chat = await ChatReceiver.start(t)
    const events = ['--own-events', 'JobFailed, HostDisconnected']
    const created = ['chat', 'endpoint', 'create', 'own', chat.webhookUrl('Slack', 'own'), '--type', 'Slack', ...events]
    assert.equal((await wharf(...created)).code, 0)
    const shown = async (): Promise<string> =>
      (await wharf('chat', 'endpoint', 'list', '--columns', 'name,ownEvents')).stdout
    assert.match(await shown(), /^own +JobFailed, ?HostDisconnected$/m)
    const update = ['chat', 'endpoint', 'update', 'own', '--own-event-template', '{{ event.name }}!', '--own-events']
    assert.match(
      (await wharf(...update, 'JobFailed,HostLost')).stderr,
      /^error: invalid --own-events HostLost: expected none/,
    )
    assert.equal((await wharf(...update, 'JobFailed')).code, 0)
    assert.match(await shown(), /^own +JobFailed$/m)
    const tested = await wharf('chat', 'endpoint', 'test', 'own', '--own-event', 'StorageAlmostFull')
    assert.match(tested.stderr, /own accepted the message/)
    assert.match(chat.accepted('own')[0]?.body ?? '', /StorageAlmostFull!/)
    const history = [
      'delivery',
      'list',
      '--query',
      'ownEvent=StorageAlmostFull',
      '--columns',
      'endpoint,ownEvent,status',
    ]
    assert.match((await wharf(...history)).stdout, /^own +StorageAlmostFull +Delivered$/m)
    assert.equal((await wharf('chat', 'endpoint', 'update', 'own', '--own-events', 'none')).code, 0)
    assert.doesNotMatch(await shown(), /JobFailed/)
  })

  await t.test('a misspelled operation is suggested', async () => {
    const { code, stderr } = await wharf('call', 'tags.craete', 'name=x')
    assert.deepEqual([code, stderr], [2, 'error: no operation tags.craete\n  did you mean tags.create?\n'])
    assert.match((await wharf('call', 'nothing.at.all')).stderr, /list the operations with wharf call/)
  })

  await t.test('events of an unknown type are rejected with the known ones', async () => {
    const { code, stderr } = await wharf('events', '--resource', 'Nope')
    assert.equal(code, 2)
    assert.match(stderr, /^error: no resource type Nope\n {2}types: AccessKey, Account, ApiJob, .*SoftwarePackage/)
    assert.match((await wharf('events', '--resource', 'Hots')).stderr, /did you mean Host\?\n/)
  })

  await t.test('open prints the page of a record, and opens it on a terminal', async () => {
    const { hostUuid } = server.bootstrap
    const { uuid: hello } = await json('release', 'show', 'hello')
    await json('window', 'create', 'nights', '--cron', '0 2 * * *', '--duration', '60')
    for (const [argv, page] of [
      [[], '/'],
      [['host'], '/#/hosts'],
      [['host', 'this-node'], `/#/hosts/${hostUuid}`],
      [['release', 'hello'], `/#/releases/${hello}`],
      [['release', 'hello@1.0.0'], `/#/releases/${hello}`],
      [['window', 'nights'], '/#/rollouts/windows?q=name%3Dnights'],
    ] as const) {
      const io = new CapturedIo({ env, home, columns: 80 })
      assert.equal(await run(['open', ...argv], io), 0, io.stderrText)
      assert.equal(io.stdoutText, `${server.url}${page}\n`)
      assert.deepEqual(io.openedUrls, [`${server.url}${page}`])
    }
    const piped = new CapturedIo({ env, home })
    assert.equal(await run(['open', 'host', 'this-node'], piped), 0)
    assert.deepEqual(piped.openedUrls, [])
    assert.equal((await wharf('open', 'nothing')).code, 2)
  })
})
