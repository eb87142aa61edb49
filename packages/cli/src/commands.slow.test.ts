import { strict as assert } from 'node:assert'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipped, installable, PackageFixture } from '@wharf/testkit'
import { exitCodes } from './exit-codes.ts'
import { environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { assertGolden, normalized } from './testing/golden.ts'
import { interceptingServer } from './testing/intercepting-server.ts'

test('commands against a server', async (t) => {
  const fixture = await PackageFixture.start(t)
  const { bootstrap } = fixture.server
  const home = freshHome(t)
  const env = environmentOf(bootstrap)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  const json = async (...argv: string[]) => {
    const { code, stdout, stderr } = await wharf(...argv, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const archive = join(fixture.folder, 'demo-1.2.tar.gz')
  writeFileSync(
    archive,
    gzipped(installable({ hooks: { install: 'echo working; cat >installed', uninstall: 'rm installed' } })),
  )
  const target = join(fixture.folder, 'target')

  await t.test('a file is uploaded, installed, uninstalled and deleted', async () => {
    const uploaded = await wharf(
      'package',
      'upload',
      archive,
      '--type',
      'demo',
      '--host',
      'this-node',
      '--path',
      join(target, 'demo.tar.gz'),
    )
    assert.equal(uploaded.code, 0, uploaded.stderr)
    const [uuid] = uploaded.stdout.split('\n')
    assert.match(uploaded.stdout, /^[0-9a-f]{32}\n$/)
    assert.match(uploaded.stderr, /100% of[\s\S]*Uploaded demo-1\.2: .* MD5 [0-9a-f]{32}\.\n$/)
    assertGolden(
      'package-list.txt',
      normalized((await wharf('package', 'list')).stdout).replaceAll(fixture.folder, '/tmp/x'),
    )

    const installed = await json('package', 'install', 'demo-1.2', '--config', '{"a":1}')
    assert.deepEqual([installed.uuid, installed.status], [uuid, 'Installed'])
    assert.match((await wharf('package', 'log', 'demo-1.2')).stdout, /^working$/m)
    assert.match((await wharf('package', 'log', '-f', 'demo-1.2')).stdout, /^working$/m)
    assert.match((await wharf('package', 'log', '--timestamps', 'demo-1.2')).stdout, /^[\d-]{10}T[\d:.]{12}Z working$/m)
    const [timed] = await json('package', 'log', '--timestamps', 'demo-1.2')
    assert.match(timed.time, /Z$/)
    const lines = (await json('package', 'log', 'demo-1.2')).map(({ line }: { line: string }) => line)
    assert.ok(lines.includes('working'))
    const followed = (await wharf('package', 'log', '-f', 'demo-1.2', '--json')).stdout.trimEnd().split('\n')
    assert.deepEqual(
      followed.map((line) => JSON.parse(line).line),
      lines,
    )
    assert.equal((await json('package', 'uninstall', 'demo-1.2')).status, 'Uploaded')
    assert.deepEqual(await json('package', 'delete', 'demo-1.2'), { uuid, deleted: true })
    assert.ok(!existsSync(join(target, 'demo.tar.gz')))
  })

  await t.test('a name may contain spaces, percent signs and non-ASCII letters', async () => {
    const odd = join(fixture.folder, '100% 中文.tar')
    writeFileSync(odd, installable())
    assert.equal(
      (await json('package', 'upload', odd, '--type', 'demo', '--backup-storage', '--path', 'odd.tar')).name,
      '100% 中文',
    )
  })

  await t.test('the server downloads a URL, and the client sends stdin', async () => {
    const url = fixture.source.serve('fetched.tar', installable())
    const fetched = await json(
      'package',
      'upload',
      url,
      '--type',
      'demo',
      '--host',
      'this-node',
      '--path',
      join(target, 'fetched.tar'),
    )
    assert.deepEqual([fetched.name, fetched.status], ['fetched', 'Uploaded'])
    const kept = await json('package', 'upload', url, '--type', 'demo', '--backup-storage', '--name', 'kept')
    assert.deepEqual([kept.name, kept.installPath.endsWith('fetched.tar'), kept.hostUuid], ['kept', true, null])
    const argv = [
      'package',
      'upload',
      '-',
      '--name',
      'piped',
      '--type',
      'demo',
      '--backup-storage',
      'local-folder',
      '--json',
    ]
    const piped = await runCaptured(argv, { env, input: 'some bytes' })
    assert.deepEqual([JSON.parse(piped.stdout).name, JSON.parse(piped.stdout).size], ['piped', 10])
  })

  await t.test('digests of URLs and files are verified', async () => {
    const url = fixture.source.serve('summed.tar', installable())
    const argv = ['package', 'upload', '--type', 'demo', '--backup-storage', '--path']
    const sums = ['--md5', hash('md5', installable()), '--sha256', hash('sha256', installable()).toUpperCase()]
    assert.equal((await json(...argv, '/summed.tar', url, ...sums)).installPath, '/summed.tar')
    for (const source of [url, archive]) {
      const refused = await wharf(...argv, 'other.tar', source, '--sha256', 'f'.repeat(64))
      assert.equal(refused.code, 1, refused.stderr)
      assert.match(refused.stderr, /the SHA-256 of the package is [0-9a-f]{64} instead of the announced f{64}/)
    }
    for (const option of ['--md5', '--sha256']) {
      const misused = await wharf(...argv, 'other.tar', url, option, 'abc')
      assert.match(misused.stderr, new RegExp(`${option} must be \\d\\d hex digits`))
    }
  })

  await t.test('a package on backup storage is installed on the given host', async () => {
    const { status } = await json('package', 'install', 'kept', '--host', 'this-node')
    assert.equal(status, 'Installed')
  })

  await t.test('deleting a record in use requires a confirmation', async () => {
    const vm = { uuid: 'a'.repeat(32), name: 'gateway', state: 'Running' }
    const clusterUuid = 'b'.repeat(32)
    let changes = 0
    const url = await interceptingServer(t, bootstrap.url, (method, path) => {
      if (method !== 'GET') changes++
      if (path.includes('/vm-instances'))
        return Response.json({ gatewayVmInstances: [vm], managementVmInstanceUuid: null })
      if (path.includes('clusterUuid')) return Response.json({ inventories: [{ uuid: vm.uuid }] })
      return path.includes('name%3Ddisks')
        ? Response.json({ inventories: [{ uuid: clusterUuid, name: 'disks' }] })
        : undefined
    })
    const rows: [string[], RegExp][] = [
      [['package', 'delete', 'kept'], /package kept is Installed/],
      [['package', 'delete', 'kept', '--force'], /package kept is Installed/],
      [['cluster', 'remove', 'disks'], /Wharf receives alerts of cluster disks/],
      [['migrate', 'vms', 'delete', 'gateway'], /VM gateway is Running/],
    ]
    for (const [argv, fact] of rows) {
      const unconfirmed = await runCaptured(argv, { env: { ...env, WHARF_URL: url } })
      assert.equal(unconfirmed.code, exitCodes.usage, unconfirmed.stderr)
      assert.match(unconfirmed.stderr, new RegExp(`${fact.source}; cannot prompt: stdin is not a terminal\\n.*--yes`))
      const denied = await runCaptured(argv, { env: { ...env, WHARF_URL: url }, answers: ['n'] })
      assert.deepEqual([denied.code, denied.stderr], [exitCodes.failed, 'error: not confirmed; nothing was changed\n'])
    }
    assert.equal(changes, 0)
    assert.equal((await json('package', 'show', 'kept')).status, 'Installed')
    const confirmed = await runCaptured(['package', 'delete', 'kept'], { env, answers: ['yes'] })
    assert.equal(confirmed.code, exitCodes.ok, confirmed.stderr)
  })

  await t.test('--async prints the job, which job wait waits for', async () => {
    const url = fixture.source.serve('later.tar', installable())
    const argv = ['package', 'upload', url, '--type', 'demo', '--backup-storage', '--async']
    const { stdout, stderr } = await wharf(...argv)
    const job = stdout.trim()
    assert.match(stderr, new RegExp(`wharf job wait ${job}`))
    assert.equal((await json('job', 'wait', job)).inventory.name, 'later')
    assert.equal((await json('job', 'show', job)).state, 'Succeeded')
    assert.match((await wharf('job', 'log', job)).stdout, /^Step: /m)
    const started = await json('package', 'upload', archive, '--type', 'demo', '--backup-storage', '--async')
    assert.equal(started.operation, 'UploadSoftwarePackageToBackupStorage')
    await json('job', 'wait', started.uuid)
  })

  await t.test('lists are tables, JSON arrays and JSON lines', async () => {
    assertGolden('host-list.txt', normalized((await wharf('host', 'list')).stdout).replace(/Linux \S+/, 'Linux'))
    assertGolden(
      'job-list.txt',
      normalized((await wharf('job', 'list', '--query', 'operation=InstallSoftwarePackage')).stdout),
    )
    const lines = (await wharf('package', 'list', '-o', 'ndjson')).stdout.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).name),
      (await json('package', 'list')).map(({ name }: { name: string }) => name),
    )
    assert.equal((await json('package', 'list', '--limit', '1', '--sort', '-name')).length, 1)
    const none = await wharf('cluster', 'list')
    assert.deepEqual([none.stdout, none.stderr], ['', 'No clusters.\n'])
  })

  await t.test('reports a list that the default limit truncates', async () => {
    const page = Response.json({ inventories: [{ uuid: 'a', state: 'Succeeded' }], total: 1234 })
    const url = await interceptingServer(t, bootstrap.url, () => page.clone())
    const listed = (...argv: string[]) => runCaptured(argv, { env: { ...env, WHARF_URL: url } })
    const truncated = 'Showing 1 of 1,234; use --limit COUNT for more.\n'
    const rows: [string[], string][] = [
      [['job', 'list'], truncated],
      [['job', 'list', '--json'], truncated],
      [['job', 'list', '-o', 'ndjson'], truncated],
      [['job', 'list', '--quiet'], ''],
      [['job', 'list', '--limit', '1'], ''],
      [['call', 'hosts.query'], 'Showing 1 of 1,234; use limit=COUNT for more.\n'],
      [['call', 'hosts.query', 'limit=1'], ''],
    ]
    for (const [argv, message] of rows) {
      const { code, stderr } = await listed(...argv)
      assert.deepEqual([code, stderr], [exitCodes.ok, message], argv.join(' '))
    }
    // the data contains only what was requested
    assert.deepEqual(JSON.parse((await listed('call', 'hosts.query', '--json')).stdout), [
      { uuid: 'a', state: 'Succeeded' },
    ])
    const { stderr } = await wharf('job', 'list', '--query', 'operation=InstallSoftwarePackage')
    assert.equal(stderr, '')
  })

  await t.test('show prints all fields of a record', async () => {
    assertGolden(
      'storage-show.txt',
      normalized((await wharf('storage', 'show', 'local-folder')).stdout).replace(/file:\S+/, 'file://<folder>'),
    )
  })

  await t.test('--yes deletes an installed package without a prompt', async () => {
    const stored = ['--type', 'demo', '--backup-storage', '--path', 'again.tar.gz', '--name', 'again']
    await json('package', 'upload', archive, ...stored)
    await json('package', 'install', 'again', '--host', 'this-node')
    assert.equal((await json('package', 'delete', 'again', '--yes')).deleted, true)
  })

  await t.test('hosts and storage are added, disabled, enabled and removed', async () => {
    const added = await json('host', 'add', 'again', '--address', '127.0.0.1', '--driver', 'local')
    assert.equal(added.status, 'Connected')
    assert.equal((await json('host', 'disable', 'again')).state, 'Disabled')
    assert.equal((await json('host', 'enable', 'again')).state, 'Enabled')
    assert.equal((await json('host', 'reconnect', 'again')).status, 'Connected')
    assert.equal((await json('host', 'delete', 'again')).deleted, true)
    assert.deepEqual(await json('host', 'candidates'), [])
    mkdirSync(join(fixture.folder, 'attic'))
    assert.equal((await json('storage', 'add', 'attic', `file://${fixture.folder}/attic`)).type, 'folder')
    assert.equal((await json('storage', 'disable', 'attic')).state, 'Disabled')
    assert.equal((await json('storage', 'delete', 'attic')).deleted, true)
  })

  await t.test('clusters and chats', async () => {
    writeFileSync(join(home, 'token'), 'the-token\n')
    assert.equal((await json('cluster', 'add', 'disks', '--address', '127.0.0.1')).apiPort, 8056)
    const alerts = await wharf('cluster', 'alerts', 'disks')
    assert.match(alerts.stderr, /does not receive alerts of disks\n {2}start with wharf cluster alerts disks --receive/)
    assert.equal((await json('cluster', 'remove', 'disks')).removed, true)
    const port = await componentPort(t)
    const place = ['--address', '127.0.0.1', '--port', port]
    const taken = await wharf('cluster', 'add', 'old', ...place, '--admin-token', `@${home}/token`)
    assert.match(
      taken.stderr,
      /No software package .* at 127\.0\.0\.1\. .* alerts old --receive, which prints the address/,
    )
    const { attachment, url, token } = await json('cluster', 'alerts', 'old', '--receive')
    assert.equal(attachment, 'Manual')
    const send = (by: string) => fetch(url, { method: 'POST', headers: { authorization: `Bearer ${by}` } })
    assert.notEqual((await send(token)).status, 401)
    const again = await json('cluster', 'alerts', 'old', '--token')
    assert.deepEqual([(await send(token)).status, again.url], [401, url])
    const attached = await wharf('cluster', 'alerts', 'old', '--attach')
    assert.equal(attached.code, exitCodes.failed)
    assert.match(attached.stderr, /nothing was attached: no software package/)
    assert.equal((await json('cluster', 'remove', 'old', '--yes')).removed, true)
    writeFileSync(join(home, 'webhook'), 'https://oapi.dingtalk.com/robot/send?access_token=hush\n')
    const endpoint = await json('chat', 'endpoint', 'add', 'ops', `@${home}/webhook`, '--type', 'DingTalk')
    assert.ok(!JSON.stringify(endpoint).includes('hush'))
    assert.equal((await json('chat', 'mention', 'add', 'ops', '13800000000', '--remark', 'on call')).remark, 'on call')
    assert.equal((await json('chat', 'mention', 'list')).length, 1)
    assert.equal((await json('chat', 'mention', 'delete', '13800000000')).deleted, true)
    assert.equal((await json('chat', 'endpoint', 'delete', 'ops')).deleted, true)
  })

  await t.test('alert platform create prints a configuration for Alertmanager', async () => {
    writeFileSync(join(home, 'template'), '{{ alert.name }}')
    const created = await wharf('alert', 'platform', 'create', 'plain', '--template', `@${home}/template`)
    assert.equal(created.code, 0, created.stderr)
    const { url, uuid, template } = await json('alert', 'platform', 'show', 'plain')
    assert.equal(template, '{{ alert.name }}')
    const configured =
      /url: "(.*)"\n {8}max_alerts: 100\n {8}http_config:\n {10}authorization:\n {12}credentials: "(.*)"\n$/
    const [, address, token] = configured.exec(created.stdout) ?? []
    assert.equal(address, url)
    assert.match(created.stderr, new RegExp(`not shown again[^]*WHARF_PUBLIC_URL[^]*Created plain \\(uuid ${uuid}`))
    const body = JSON.stringify({ version: '4', alerts: [] })
    const send = async (bearer: string) =>
      fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      })
    assert.equal((await send(token ?? '')).status, 200)
    const reset = await json('alert', 'platform', 'reset-token', 'plain')
    assert.deepEqual([(await send(token ?? '')).status, (await send(reset.token)).status], [401, 200])
    assert.deepEqual(await json('alert', 'list'), [])
    const refused = await wharf('alert', 'platform', 'create', 'other', '--template', '{% if %}')
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.equal((await json('alert', 'platform', 'delete', 'plain')).deleted, true)
    assert.deepEqual(await json('alert', 'platform', 'list'), [])
  })

  await t.test('the migration gateway', async () => {
    assert.deepEqual(await json('migrate', 'images'), [])
    assert.deepEqual(await json('migrate', 'vms'), [])
    assert.match((await wharf('migrate', 'vms', 'delete', 'x')).stderr, /no virtual machine named x/)
  })

  await t.test('usage shows the free space', async () => {
    const { totalCapacity, availableCapacity } = await json('usage', '/tmp')
    assert.ok(totalCapacity > availableCapacity)
    assert.match((await wharf('usage', '/tmp')).stdout, /^[\d.]+ \wiB of [\d.]+ \wiB free\n$/)
  })

  await t.test('errors are explained in the language of the user', async () => {
    assert.match((await wharf('explain', 'SYS.1003')).stdout, /^SYS\.1003\n {2}\S/)
    assert.match(
      (await runCaptured(['explain', 'SYS.1003'], { env: { ...env, LANG: 'zh_CN.UTF-8' } })).stdout,
      /\p{Script=Han}/u,
    )
    assert.equal((await wharf('explain', 'nothing', 'of', 'that', 'kind', 'qwertz')).code, 1)
    assert.match(
      (await wharf('explain', 'fingerprint')).stdout,
      /^No entry explains this text\. Entries with its keywords:\n[A-Za-z]+\.\d+\n {2}\S/,
    )
    assert.equal((await wharf('explain', 'SHELL.1001')).stdout.match(/\n {2}/g)?.length, 1)
    const english = await wharf('usage', 'relative')
    assertGolden('error.txt', normalized(english.stderr))
    const chinese = await runCaptured(['usage', 'relative'], { env: { ...env, LC_ALL: 'zh_CN.UTF-8' } })
    assert.match(chinese.stderr, /原因与处理办法: .*\p{Script=Han}[\s\S]*请求 [0-9a-f]{32}/u)
  })

  await t.test('api and call reach every operation', async () => {
    const { inventory } = JSON.parse(
      (await wharf('api', 'post', '/v1/tags', '--body', '{"params":{"name":"blue"}}')).stdout,
    )
    assert.equal(inventory.name, 'blue')
    const found = JSON.parse((await wharf('api', 'GET', '/v1/tags?q=name=blue&limit=1')).stdout)
    assert.equal(found.inventories[0].uuid, inventory.uuid)
    assert.equal((await wharf('api', 'GET', '/openapi.json')).code, 2)
    assert.equal((await json('call', 'tags.get', 'uuid=blue'))[0].name, 'blue')
    assert.equal((await json('call', 'hosts.query', 'q=name=this-node', 'q=state=Enabled', 'limit=1')).length, 1)
    assert.equal((await wharf('call', 'hosts.query', 'limit=many')).code, 2)
    const incomplete = await wharf('call', 'tags.delete', 'name=blue')
    assert.deepEqual([incomplete.code, incomplete.stderr.includes('tags.delete requires uuid=…')], [2, true])
    assert.deepEqual(await json('call', 'tags.delete', 'uuid=blue'), {})
    assert.match((await wharf('call', 'tags.query', 'q=name=blue')).stderr, /No records/)
    const keyFields = await json('call', 'GetHostKeys', '--describe')
    for (const former of ['LookAtHostKeys', 'hosts.lookAtKeys'])
      assert.deepEqual(await json('call', former, '--describe'), keyFields)
    const described = await json('call', 'hosts.changeState', '--describe')
    assert.deepEqual(
      described.map(({ field, required }: { field: string; required: boolean }) => [field, required]),
      [
        ['uuid', true],
        ['stateEvent', true],
      ],
    )
  })

  await t.test('events streams changes', async () => {
    const seen = wharf('events', '--resource', 'Tag', '--limit', '2', '-o', 'ndjson')
    for (let tries = 0; tries < 100 && !(await isSettled(seen, 100)); tries++)
      await wharf('call', 'tags.create', `name=t${tries}`)
    const [first] = (await seen).stdout.split('\n')
    assert.deepEqual(
      Object.keys(JSON.parse(first ?? '')).filter((name) => ['type', 'resourceType', 'uuid', 'at'].includes(name))
        .length,
      4,
    )
  })

  await t.test('login stores a credential and logout deletes it', async () => {
    const { url, password } = bootstrap
    const login = (argv: string[], options: object) => runCaptured(['login', ...argv], { home, ...options })
    assert.equal((await login(['--url', url, '--password-stdin'], { input: 'wrong\n' })).code, 4)
    const prompted = await login(['--url', url, '--account', 'admin'], { answers: [password] })
    assert.equal(prompted.code, 0, prompted.stderr)
    assert.equal(statSync(join(home, '.config/wharf/credentials.json')).mode & 0o777, 0o600)
    assert.ok(!readFileSync(join(home, '.config/wharf/config.json'), 'utf8').includes('session'))
    const me = (...argv: string[]) => runCaptured(argv, { home })
    assert.equal((await me('host', 'list')).code, 0)
    const key = JSON.parse((await me('key', 'create', '--description', 'mine', '--json')).stdout)
    assert.deepEqual(JSON.parse((await me('logout', '--json')).stdout), { profile: 'default', signedOut: true })
    assert.deepEqual(JSON.parse((await me('logout', '--json')).stdout), { profile: 'default', signedOut: false })
    assert.equal((await me('host', 'list')).code, 4)

    assert.equal(
      (
        await login(['--access-key-id', key.AccessKeyID, '--password-stdin', '--as', 'keyed'], {
          input: key.AccessKeySecret,
        })
      ).code,
      0,
    )
    assert.equal((await me('host', 'list')).code, 0)
    assert.match((await me('profile', 'list')).stdout, /keyed +\* +http.* access key/)
    const used = await me('profile', 'use', 'default', '--json')
    assert.deepEqual(JSON.parse(used.stdout), { profile: 'default', isCurrent: true })
    assert.equal((await me('key', 'disable', 'mine', '--profile', 'keyed')).code, 1)
    const lasting = ['--create-key', '--password-stdin', '--as', 'lasting', '--url', url, '--json']
    const created = JSON.parse((await login(lasting, { input: password })).stdout)
    assert.deepEqual(Object.keys(created), ['profile', 'url', 'accessKeyId'])
    assert.equal(created.profile, 'lasting')
    assert.match((await me('profile', 'show')).stdout, /profile lasting/)
    assert.equal((await me('key', 'delete', key.AccessKeyID)).code, 0)
    const removed = await me('profile', 'remove', 'keyed', '--json')
    assert.deepEqual(JSON.parse(removed.stdout), { profile: 'keyed', removed: true })
  })

  await t.test('host announce --print-avahi needs no server', async () => {
    const { stdout } = await runCaptured(['host', 'announce', '--print-avahi', '--sn', 'SN1'])
    assert.match(stdout, /<txt-record>sn=SN1<\/txt-record>/)
  })
})

const isSettled = async (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))])

/** A server that no package of Wharf runs. */
async function componentPort(t: { after(work: () => void): void }): Promise<string> {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}
