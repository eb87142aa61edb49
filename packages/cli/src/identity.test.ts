import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { exitCodes } from './exit-codes.ts'
import { Profiles } from './settings/profiles.ts'
import { type CommandResult, environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'
import { closedAddress } from './testing/closed-address.ts'

test('identity of the caller', async (t) => {
  const server = await TestServer.start(t)
  const { bootstrap } = server
  const env = environmentOf(bootstrap)
  const local = { WHARF_DATA: server.environment.WHARF_DATA ?? '' }
  const bootstrapFile = join(local.WHARF_DATA, 'bootstrap.json')
  const folder = freshHome(t)
  const keyFile = join(folder, 'key.json')
  const ok = ({ code, stdout, stderr }: CommandResult): string => {
    assert.equal(code, exitCodes.ok, stderr)
    return stdout
  }
  const fieldsOf = (text: string): Record<string, string> =>
    Object.fromEntries(text.split('\n').map((line) => line.split(/ {2,}/, 2) as [string, string]))

  await t.test('the output of key create --json is a credentials file', async () => {
    ok(
      await runCaptured(['call', 'users.create', 'name=robot', 'password=the password of robot', 'role=reader'], {
        env,
      }),
    )
    writeFileSync(keyFile, ok(await runCaptured(['key', 'create', '--user', 'robot', '--json'], { env })))
    // only the file contains the address of the server
    const listed = await runCaptured(['host', 'list', '--credentials', keyFile], { home: folder })
    assert.match(ok(listed), /this-node/)
    const shown = ok(await runCaptured(['key', 'create', '--user', 'robot'], { env }))
    assert.match(shown, /^AccessKeySecret +\w{40}$/m)
    assert.doesNotMatch(shown, /^url /m)
  })

  const forms =
    /accessKeyId with accessKeySecret.*bootstrap\.json.*AccessKeyID with AccessKeySecret.*wharf key create --json.*session/
  for (const [name, content, missing] of [
    ['without the secret', { AccessKeyID: 'id', AccessKeySecret: null }, /AccessKeySecret is missing/],
    ['without the key id', { accessKeySecret: 'hush' }, /accessKeyId is missing/],
    ['with two spellings', { accessKeyId: 'id', AccessKeySecret: 'hush' }, /accessKeySecret is missing/],
    ['without a credential', { url: 'http://127.0.0.1:8080' }, /contains no credential/],
  ] as const)
    await t.test(`a credentials file ${name} is rejected`, async () => {
      const path = join(folder, 'unusable.json')
      writeFileSync(path, JSON.stringify(content))
      const { code, stderr } = await runCaptured(['host', 'list', '--credentials', path], { env })
      assert.equal(code, exitCodes.usage, stderr)
      assert.ok(stderr.includes(path), stderr)
      assert.match(stderr, missing)
      assert.match(stderr, forms)
      assert.ok(!stderr.includes('hush'), stderr)
    })

  await t.test('a credentials file that is not JSON is rejected', async () => {
    const path = join(folder, 'unusable.json')
    writeFileSync(path, 'hush')
    const { code, stderr } = await runCaptured(['host', 'list', '--credentials', path], { env })
    assert.equal(code, exitCodes.failed, stderr)
    assert.match(stderr, forms)
    assert.ok(!stderr.includes('hush'), stderr)
  })

  for (const [argv, operation] of [
    [['host', 'disable', 'this-node'], 'ChangeHostState'],
    [['host', 'enable', 'this-node'], 'ChangeHostState'],
    [['host', 'reconnect', 'this-node'], 'ReconnectHost'],
    [['storage', 'disable', 'local-folder'], 'ChangeBackupStorageState'],
    [['storage', 'reconnect', 'local-folder'], 'ReconnectBackupStorage'],
  ] as const)
    await t.test(`an error of ${argv[0]} ${argv[1]} names the command`, async () => {
      const { code, stderr } = await runCaptured([...argv, '--credentials', keyFile])
      assert.equal(code, exitCodes.failed)
      assert.match(stderr, new RegExp(`^error: wharf ${argv[0]} ${argv[1]} failed: ID\\.1002 .*\n  ${operation} needs`))
    })

  await t.test('whoami and profile show print account, user, role and the source of the credential', async () => {
    const home = freshHome(t)
    const login = ['login', '--url', bootstrap.url, '--password-stdin', '--user', 'robot', '--as', 'work']
    ok(await runCaptured(login, { home, input: 'the password of robot' }))
    const admin = { account: 'admin', user: 'admin', role: 'admin' }
    const robot = { account: 'admin', user: 'robot', role: 'reader' }
    const rows = [
      { who: robot, from: `--credentials ${keyFile}`, argv: ['--credentials', keyFile], options: {} },
      { who: admin, from: 'WHARF_ACCESS_KEY_ID', argv: [], options: { env } },
      { who: robot, from: 'profile work', argv: [], options: { home } },
      { who: robot, from: 'profile work', argv: ['--profile', 'work'], options: { home, env } },
      { who: admin, from: bootstrapFile, argv: [], options: { env: local } },
    ]
    for (const { who, from, argv, options } of rows)
      for (const words of [['whoami'], ['profile', 'show']]) {
        const { account, user, role, credentialFrom } = fieldsOf(ok(await runCaptured([...words, ...argv], options)))
        assert.deepEqual({ account, user, role, credentialFrom }, { ...who, credentialFrom: from }, words.join(' '))
        const json = JSON.parse(ok(await runCaptured([...words, ...argv, '--json'], options)))
        assert.deepEqual([json.account, json.user, json.role, json.credentialFrom], [...Object.values(who), from])
        assert.match(json.userUuid, /^[0-9a-f]{32}$/)
      }
  })

  await t.test('profile show works without the server, and whoami fails', async () => {
    const unreachable = { env: { ...env, WHARF_URL: await closedAddress() } }
    const shown = await runCaptured(['profile', 'show', '--json'], unreachable)
    const { credentialFrom, account, role } = JSON.parse(ok(shown))
    assert.deepEqual([credentialFrom, account, role], ['WHARF_ACCESS_KEY_ID', null, null])
    assert.match(shown.stderr, /cannot reach \S+: connect ECONNREFUSED/)
    const who = await runCaptured(['whoami'], unreachable)
    assert.deepEqual([who.code, who.stdout], [exitCodes.failed, ''])
    const wrong = { env: { ...env, WHARF_ACCESS_KEY_SECRET: 'wrong-secret' } }
    assert.match((await runCaptured(['profile', 'show'], wrong)).stderr, /ID\.1000/)
    assert.equal((await runCaptured(['whoami'], wrong)).code, exitCodes.notSignedIn)
  })

  await t.test('after logout the local admin key is not used until a login', async () => {
    const home = freshHome(t)
    const wharf = (...argv: string[]) => runCaptured(argv, { home, env: local, input: bootstrap.password })
    const signedOut = async (...flags: string[]): Promise<void> => {
      const { code, stderr } = await wharf('host', 'list', ...flags)
      assert.equal(code, exitCodes.notSignedIn, stderr)
      assert.match(stderr, /not signed in at .*\n.*wharf login --url .* --credentials .*bootstrap\.json/)
    }
    // a fresh machine needs no login
    ok(await wharf('host', 'list'))
    for (const argv of [['--password-stdin'], ['--password-stdin', '--create-key', '--as', 'other']]) {
      ok(await wharf('login', ...argv))
      ok(await wharf('host', 'list'))
      ok(await wharf('logout'))
      await signedOut()
      await signedOut('--url', bootstrap.url)
    }
    ok(await wharf('host', 'list', '--credentials', bootstrapFile))
    ok(await wharf('login', '--password-stdin', '--as', 'default'))
    ok(await wharf('host', 'list'))
    // nor is the credential of another profile
    ok(await wharf('profile', 'use', 'other'))
    await signedOut()
  })

  await t.test('logout without a login signs out of the local server', async () => {
    const home = freshHome(t)
    const wharf = (...argv: string[]) => runCaptured(argv, { home, env: local })
    assert.deepEqual(JSON.parse(ok(await wharf('logout', '--json'))), { profile: 'default', signedOut: true })
    assert.equal((await wharf('host', 'list')).code, exitCodes.notSignedIn)
    assert.equal(fieldsOf((await wharf('profile', 'show')).stdout).credentialFrom, '-')
    assert.deepEqual(JSON.parse(ok(await wharf('logout', '--json'))), { profile: 'default', signedOut: false })
    // the profile recorded the logout
    ok(await wharf('profile', 'remove', 'default'))
    ok(await wharf('host', 'list'))
  })

  await t.test('logout without the server names the key that stays valid', async () => {
    const home = freshHome(t)
    const key = { accessKeyId: 'AK1', accessKeySecret: 'a secret', scheme: 'rfc9421', isFromLogin: true } as const
    new Profiles({ env: {}, home }).save('away', { url: await closedAddress() }, key)
    const { code, stderr } = await runCaptured(['logout', '--profile', 'away', '--quiet'], { home })
    assert.equal(code, 0)
    assert.match(stderr, /^cannot reach .*\nAccess key AK1 stays valid; .* wharf key delete AK1/)
  })

  await t.test('logout reports a remaining credential', async () => {
    const home = freshHome(t)
    new Profiles({ env: {}, home }).save('default', { url: bootstrap.url }, { session: 'ended' })
    const { stderr } = await runCaptured(['logout'], { home, env })
    assert.match(stderr, /WHARF_ACCESS_KEY_ID still provides a credential/)
  })
})
