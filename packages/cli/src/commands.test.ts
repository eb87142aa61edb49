import { strict as assert } from 'node:assert'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipped, installable, PackageWorld } from '@wharf/testkit'
import { exitCodes } from './exit-codes.ts'
import { alteringServer } from './testing/altering-server.ts'
import { environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { assertGolden, timeless } from './testing/golden.ts'

test('commands against a server', async (t) => {
  const world = await PackageWorld.start(t)
  const { bootstrap } = world.server
  const home = freshHome(t)
  const env = environmentOf(bootstrap)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  const json = async (...argv: string[]) => {
    const { code, stdout, stderr } = await wharf(...argv, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const archive = join(world.folder, 'demo-1.2.tar.gz')
  writeFileSync(
    archive,
    gzipped(installable({ hooks: { install: 'echo working; cat >installed', uninstall: 'rm installed' } })),
  )
  const there = join(world.folder, 'there')

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
      join(there, 'demo.tar.gz'),
    )
    assert.equal(uploaded.code, 0, uploaded.stderr)
    const [uuid] = uploaded.stdout.split('\n')
    assert.match(uploaded.stdout, /^[0-9a-f]{32}\n$/)
    assert.match(uploaded.stderr, /100 % of[\s\S]*demo-1\.2 is uploaded: .* MD5 [0-9a-f]{32}\.\n$/)
    assertGolden(
      'package-list.txt',
      timeless((await wharf('package', 'list')).stdout).replaceAll(world.folder, '/tmp/x'),
    )

    const installed = await json('package', 'install', 'demo-1.2', '--config', '{"a":1}')
    assert.deepEqual([installed.uuid, installed.status], [uuid, 'Installed'])
    assert.match((await wharf('package', 'log', 'demo-1.2')).stdout, /^working$/m)
    assert.match((await wharf('package', 'log', '-f', 'demo-1.2')).stdout, /^working$/m)
    const said = (await json('package', 'log', 'demo-1.2')).map(({ line }: { line: string }) => line)
    assert.ok(said.includes('working'))
    const followed = (await wharf('package', 'log', '-f', 'demo-1.2', '--json')).stdout.trimEnd().split('\n')
    assert.deepEqual(
      followed.map((line) => JSON.parse(line).line),
      said,
    )
    assert.equal((await json('package', 'uninstall', 'demo-1.2')).status, 'Uploaded')
    assert.deepEqual(await json('package', 'delete', 'demo-1.2'), { uuid, deleted: true })
    assert.ok(!existsSync(join(there, 'demo.tar.gz')))
  })

  await t.test('a name may hold what escapes elsewhere', async () => {
    const odd = join(world.folder, '100% 中文.tar')
    writeFileSync(odd, installable())
    assert.equal(
      (await json('package', 'upload', odd, '--type', 'demo', '--backup-storage', '--path', 'odd.tar')).name,
      '100% 中文',
    )
  })

  await t.test('a URL is fetched by the server, standard input is sent', async () => {
    const url = world.source.serve('fetched.tar', installable())
    const fetched = await json(
      'package',
      'upload',
      url,
      '--type',
      'demo',
      '--host',
      'this-node',
      '--path',
      join(there, 'fetched.tar'),
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

  await t.test('a digest that is named is compared, of a URL and of a file alike', async () => {
    const url = world.source.serve('summed.tar', installable())
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

  await t.test('a package on backup storage is installed on the host that is named', async () => {
    const { status } = await json('package', 'install', 'kept', '--host', 'this-node')
    assert.equal(status, 'Installed')
  })

  await t.test('what is in use is deleted after a confirmation only', async () => {
    const vm = { uuid: 'a'.repeat(32), name: 'gateway', state: 'Running' }
    const clusterUuid = 'b'.repeat(32)
    let changes = 0
    const url = await alteringServer(t, bootstrap.url, (method, path) => {
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
      [['cluster', 'remove', 'disks'], /the alerts of cluster disks are received/],
      [['migrate', 'vms', 'delete', 'gateway'], /VM gateway is Running/],
    ]
    for (const [argv, fact] of rows) {
      const unasked = await runCaptured(argv, { env: { ...env, WHARF_URL: url } })
      assert.equal(unasked.code, exitCodes.usage, unasked.stderr)
      assert.match(unasked.stderr, new RegExp(`${fact.source}: --yes is required.*\\n.*nothing was changed`))
      const denied = await runCaptured(argv, { env: { ...env, WHARF_URL: url }, answers: ['n'] })
      assert.deepEqual([denied.code, denied.stderr], [exitCodes.failed, 'error: not confirmed: nothing was changed\n'])
    }
    assert.equal(changes, 0)
    assert.equal((await json('package', 'show', 'kept')).status, 'Installed')
    const confirmed = await runCaptured(['package', 'delete', 'kept'], { env, answers: ['yes'] })
    assert.equal(confirmed.code, exitCodes.ok, confirmed.stderr)
  })

  await t.test('without waiting the job is printed, and can be waited for', async () => {
    const url = world.source.serve('later.tar', installable())
    const argv = ['package', 'upload', url, '--type', 'demo', '--backup-storage', '--async']
    const { stdout, stderr } = await wharf(...argv)
    const job = stdout.trim()
    assert.match(stderr, new RegExp(`wharf job wait ${job}`))
    assert.equal((await json('job', 'wait', job)).inventory.name, 'later')
    assert.equal((await json('job', 'show', job)).state, 'Succeeded')
    assert.match((await wharf('job', 'log', job)).stdout, /step /)
    const asked = await json('package', 'upload', archive, '--type', 'demo', '--backup-storage', '--async')
    assert.equal(asked.operation, 'UploadSoftwarePackageToBackupStorage')
    await json('job', 'wait', asked.uuid)
  })

  await t.test('lists are tables, arrays and lines', async () => {
    assertGolden('host-list.txt', timeless((await wharf('host', 'list')).stdout).replace(/Linux \S+/, 'Linux'))
    assertGolden(
      'job-list.txt',
      timeless((await wharf('job', 'list', '--query', 'operation=InstallSoftwarePackage')).stdout),
    )
    const lines = (await wharf('package', 'list', '-o', 'ndjson')).stdout.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).name),
      (await json('package', 'list')).map(({ name }: { name: string }) => name),
    )
    assert.equal((await json('package', 'list', '--limit', '1', '--sort', '-name')).length, 1)
    const none = await wharf('cluster', 'list')
    assert.deepEqual([none.stdout, none.stderr], ['', 'There are no clusters.\n'])
  })

  await t.test('a list that a default limit cuts says so', async () => {
    const page = Response.json({ inventories: [{ uuid: 'a', state: 'Succeeded' }], total: 1234 })
    const url = await alteringServer(t, bootstrap.url, () => page.clone())
    const listed = (...argv: string[]) => runCaptured(argv, { env: { ...env, WHARF_URL: url } })
    const cut = 'Showing 1 of 1,234; --limit COUNT shows more.\n'
    const rows: [string[], string][] = [
      [['job', 'list'], cut],
      [['job', 'list', '--json'], cut],
      [['job', 'list', '-o', 'ndjson'], cut],
      [['job', 'list', '--quiet'], ''],
      [['job', 'list', '--limit', '1'], ''],
      [['call', 'hosts.query'], 'Showing 1 of 1,234; limit=COUNT shows more.\n'],
      [['call', 'hosts.query', 'limit=1'], ''],
    ]
    for (const [argv, says] of rows) {
      const { code, stderr } = await listed(...argv)
      assert.deepEqual([code, stderr], [exitCodes.ok, says], argv.join(' '))
    }
    // what was not asked for is not in the data
    assert.deepEqual(JSON.parse((await listed('call', 'hosts.query', '--json')).stdout), [
      { uuid: 'a', state: 'Succeeded' },
    ])
    const { stderr } = await wharf('job', 'list', '--query', 'operation=InstallSoftwarePackage')
    assert.equal(stderr, '')
  })

  await t.test('one record is shown whole', async () => {
    assertGolden(
      'storage-show.txt',
      timeless((await wharf('storage', 'show', 'local-folder')).stdout).replace(/file:\S+/, 'file://<folder>'),
    )
  })

  await t.test('an installed package is deleted without a question with --yes', async () => {
    const stored = ['--type', 'demo', '--backup-storage', '--path', 'again.tar.gz', '--name', 'again']
    await json('package', 'upload', archive, ...stored)
    await json('package', 'install', 'again', '--host', 'this-node')
    assert.equal((await json('package', 'delete', 'again', '--yes')).deleted, true)
  })

  await t.test('hosts and storage are added, switched and forgotten', async () => {
    const added = await json('host', 'add', 'again', '--address', '127.0.0.1', '--driver', 'local')
    assert.equal(added.status, 'Connected')
    assert.equal((await json('host', 'disable', 'again')).state, 'Disabled')
    assert.equal((await json('host', 'enable', 'again')).state, 'Enabled')
    assert.equal((await json('host', 'reconnect', 'again')).status, 'Connected')
    assert.equal((await json('host', 'delete', 'again')).deleted, true)
    assert.deepEqual(await json('host', 'candidates'), [])
    mkdirSync(join(world.folder, 'attic'))
    assert.equal((await json('storage', 'add', 'attic', `file://${world.folder}/attic`)).type, 'folder')
    assert.equal((await json('storage', 'disable', 'attic')).state, 'Disabled')
    assert.equal((await json('storage', 'delete', 'attic')).deleted, true)
  })

  await t.test('clusters and chats', async () => {
    writeFileSync(join(home, 'token'), 'the-token\n')
    assert.equal((await json('cluster', 'add', 'disks', '--address', '127.0.0.1')).apiPort, 8056)
    const alerts = await wharf('cluster', 'alerts', 'disks')
    assert.match(alerts.stderr, /not received\n {2}wharf cluster alerts disks --receive/)
    assert.equal((await json('cluster', 'remove', 'disks')).removed, true)
    const port = await componentPort(t)
    const place = ['--address', '127.0.0.1', '--port', port]
    const taken = await wharf('cluster', 'add', 'old', ...place, '--admin-token', `@${home}/token`)
    assert.match(taken.stderr, /No software package .* at 127\.0\.0\.1\. .* alerts old --receive prints the address/)
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

  await t.test('an alert platform of its own, with a configuration that Alertmanager reads', async () => {
    writeFileSync(join(home, 'template'), '{{ alert.name }}')
    const created = await wharf('alert', 'platform', 'create', 'plain', '--template', `@${home}/template`)
    assert.equal(created.code, 0, created.stderr)
    const { url, uuid, template } = await json('alert', 'platform', 'show', 'plain')
    assert.equal(template, '{{ alert.name }}')
    const configured =
      /url: "(.*)"\n {8}max_alerts: 100\n {8}http_config:\n {10}authorization:\n {12}credentials: "(.*)"\n$/
    const [, address, token] = configured.exec(created.stdout) ?? []
    assert.equal(address, url)
    assert.match(created.stderr, new RegExp(`not shown again[^]*WHARF_PUBLIC_URL[^]*plain is created \\(uuid ${uuid}`))
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

  await t.test('how much room there is', async () => {
    const { totalCapacity, availableCapacity } = await json('usage', '/tmp')
    assert.ok(totalCapacity > availableCapacity)
    assert.match((await wharf('usage', '/tmp')).stdout, /^[\d.]+ \wiB of [\d.]+ \wiB are free\n$/)
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
      /^No entry explains this text\. These contain its words:\n[A-Za-z]+\.\d+\n {2}\S/,
    )
    assert.equal((await wharf('explain', 'SHELL.1001')).stdout.match(/\n {2}/g)?.length, 1)
    const english = await wharf('usage', 'relative')
    assertGolden('error.txt', timeless(english.stderr))
    const chinese = await runCaptured(['usage', 'relative'], { env: { ...env, LC_ALL: 'zh_CN.UTF-8' } })
    assert.match(chinese.stderr, /原因与处理办法: .*\p{Script=Han}[\s\S]*请求 [0-9a-f]{32}/u)
  })

  await t.test('any request and any operation can be made', async () => {
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
    assert.deepEqual([incomplete.code, incomplete.stderr.includes('tags.delete needs uuid=…')], [2, true])
    assert.deepEqual(await json('call', 'tags.delete', 'uuid=blue'), {})
    assert.match((await wharf('call', 'tags.query', 'q=name=blue')).stderr, /There are none/)
    const described = await json('call', 'hosts.changeState', '--describe')
    assert.deepEqual(
      described.map(({ field, required }: { field: string; required: boolean }) => [field, required]),
      [
        ['uuid', true],
        ['stateEvent', true],
      ],
    )
  })

  await t.test('changes are shown as they happen', async () => {
    const seen = wharf('events', '--resource', 'Tag', '--limit', '2', '-o', 'ndjson')
    for (let tries = 0; tries < 100 && !(await settled(seen, 100)); tries++)
      await wharf('call', 'tags.create', `name=t${tries}`)
    const [first] = (await seen).stdout.split('\n')
    assert.deepEqual(
      Object.keys(JSON.parse(first ?? '')).filter((name) => ['type', 'resourceType', 'uuid', 'at'].includes(name))
        .length,
      4,
    )
  })

  await t.test('signing in is remembered, and signing out is forgotten', async () => {
    const { url, password } = bootstrap
    const login = (argv: string[], world: object) => runCaptured(['login', ...argv], { home, ...world })
    assert.equal((await login(['--url', url, '--password-stdin'], { input: 'wrong\n' })).code, 4)
    const asked = await login(['--url', url], { answers: [password] })
    assert.equal(asked.code, 0, asked.stderr)
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
    const made = JSON.parse((await login(lasting, { input: password })).stdout)
    assert.deepEqual(Object.keys(made), ['profile', 'url', 'accessKeyId'])
    assert.equal(made.profile, 'lasting')
    assert.match((await me('profile', 'show')).stdout, /profile lasting/)
    assert.equal((await me('key', 'delete', key.AccessKeyID)).code, 0)
    const removed = await me('profile', 'remove', 'keyed', '--json')
    assert.deepEqual(JSON.parse(removed.stdout), { profile: 'keyed', removed: true })
  })

  await t.test('the service file for avahi needs no server', async () => {
    const { stdout } = await runCaptured(['host', 'announce', '--print-avahi', '--sn', 'SN1'])
    assert.match(stdout, /<txt-record>sn=SN1<\/txt-record>/)
  })
})

const settled = async (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))])

/** Where something answers that no package of ours runs. */
async function componentPort(t: { after(work: () => void): void }): Promise<string> {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}
