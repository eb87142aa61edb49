import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { TestServer, totpCode } from '@wharf/testkit'
import { environmentOf, freshHome, type PromptAnswer, runCaptured } from '../testing/captured-io.ts'

test('accounts, users and passwords', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const home = freshHome(t)
  const asAdmin = (argv: readonly string[], options: { input?: string; answers?: PromptAnswer[] } = {}) =>
    runCaptured(argv, { env, home, ...options })
  /** Signs in with a password and runs the command. */
  const signIn = (account: string, user: string | undefined, password: string) =>
    runCaptured(
      [
        'login',
        '--account',
        account,
        ...(user === undefined ? [] : ['--user', user]),
        '--password-stdin',
        '--as',
        account,
      ],
      { env: { WHARF_URL: server.url }, home, input: password },
    )
  const as = (account: string, argv: readonly string[], options: { input?: string; answers?: PromptAnswer[] } = {}) =>
    runCaptured([...argv, '--profile', account], { home, ...options })

  await t.test('an account is created, listed and shown', async () => {
    const { code, stdout, stderr } = await asAdmin(['account', 'create', 'ops', '--password-stdin', '--json'], {
      input: 'first password\n',
    })
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).name, 'ops')
    assert.equal((await asAdmin(['account', 'list', '-o', 'name'])).stdout, 'admin\nops\n')
    assert.match((await asAdmin(['account', 'show', 'ops'])).stdout, /^name +ops$/m)
    assert.equal((await signIn('ops', undefined, 'first password')).code, 0)
  })

  await t.test('passwords are prompted twice', async () => {
    const differing = await asAdmin(['account', 'create', 'x'], { answers: ['one password', 'another'] })
    assert.deepEqual([differing.code, differing.stderr], [1, 'error: the passwords differ; nothing was changed\n'])
    const unprompted = await asAdmin(['account', 'create', 'x'])
    assert.equal(unprompted.code, 2)
    assert.match(
      unprompted.stderr,
      /cannot prompt: stdin is not a terminal\n {2}pass the password with --password-stdin/,
    )
    assert.equal(
      (await asAdmin(['account', 'create', 'x'], { answers: ['', ''] })).stderr,
      'error: the password is empty\n',
    )
  })

  await t.test('a user has a role, which changes', async () => {
    const created = await asAdmin(
      ['user', 'create', 'alice', '--account', 'ops', '--role', 'operator', '--password-stdin'],
      { input: 'alice password' },
    )
    assert.equal(created.code, 0, created.stderr)
    const { stdout } = await asAdmin(['user', 'list', '--columns', 'name,account,role', '--query', 'name=alice'])
    assert.equal(stdout, 'NAME   ACCOUNT  ROLE\nalice  ops      operator\n')
    assert.equal((await asAdmin(['user', 'set-role', 'alice', 'reader'])).stderr, 'alice has the role reader.\n')
    assert.equal((await asAdmin(['user', 'set-role', 'alice', 'king'])).code, 2)
    const set = await asAdmin(['user', 'set-password', 'alice', '--password-stdin'], { input: 'new alice password' })
    assert.equal(set.stderr, 'Set the password of user alice.\n')
    assert.equal((await signIn('ops', 'alice', 'new alice password')).code, 0)
  })

  await t.test('a user is limited to hosts by their labels, and the limit is removed', async () => {
    const update = (...options: string[]) => asAdmin(['user', 'update', 'alice', ...options])
    const scope = ['labels.team=web', 'labels.env?=test,staging']
    const limited = await update(...scope.flatMap((condition) => ['--scope', condition]), '--json')
    assert.deepEqual([limited.code, JSON.parse(limited.stdout).scope], [0, scope], limited.stderr)
    const { stdout } = await asAdmin(['user', 'list', '--columns', 'name,scope', '--query', 'name=alice'])
    assert.match(stdout, /^alice +labels\.team=web/m)
    assert.deepEqual(JSON.parse((await update('--all-hosts', '--json')).stdout).scope, [])
    for (const [options, message] of [
      [['--scope', 'labels.team=web', '--all-hosts'], /use either --scope or --all-hosts/],
      [[], /nothing to change: use --role, --scope or --all-hosts/],
    ] as const) {
      const refused = await update(...options)
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, message)
    }
    const invalid = await update('--scope', 'name=web-1')
    assert.equal(invalid.code, 1)
    assert.match(invalid.stderr, /updateUser\.scope: "name=web-1"/)
  })

  await t.test('users change their own password with the current one', async () => {
    assert.equal((await signIn('ops', undefined, 'first password')).code, 0)
    const wrong = await as('ops', ['password', '--password-stdin'], { input: 'guess\nsecond password\n' })
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /oldPassword is not the current password/)
    assert.match(
      (await as('ops', ['password', '--password-stdin'], { input: 'first password' })).stderr,
      /stdin must have two lines/,
    )
    assert.equal((await signIn('ops', 'alice', 'new alice password')).code, 0)
    const ownPasswords = 'new alice password\nnewest alice password\n'
    const changed = await as('ops', ['password', '--password-stdin'], { input: ownPasswords })
    assert.equal(changed.stderr, 'Changed the password of alice.\n')
    assert.equal((await signIn('ops', undefined, 'first password')).code, 0)
    const answers = ['first password', 'second password', 'second password']
    assert.equal((await as('ops', ['password'], { answers })).stderr, 'Changed the password of ops.\n')
    assert.equal((await signIn('ops', undefined, 'second password')).code, 0)
    const reset = await asAdmin(['account', 'set-password', 'ops', '--password-stdin'], { input: 'third password' })
    assert.equal(reset.code, 0, reset.stderr)
    assert.equal((await signIn('ops', undefined, 'third password')).code, 0)
  })

  await t.test('an authenticator app is added, login prompts for its code, and an admin removes it', async () => {
    const password = 'third password'
    let secret = ''
    const firstCode = (shown: string): string => {
      secret = /^ {2}([A-Z2-7]{32})$/m.exec(shown)?.[1] ?? ''
      return totpCode(secret)
    }
    assert.equal((await signIn('ops', undefined, password)).code, 0)
    const enrol = (...answers: PromptAnswer[]) => as('ops', ['second-factor', 'enrol'], { answers })
    const unattended = await as('ops', ['second-factor', 'enrol'])
    assert.match(
      unattended.stderr,
      /cannot prompt: stdin is not a terminal\n {2}run the command on a terminal, or use /,
    )
    assert.match((await enrol('guess')).stderr, /enrolAuthenticator\.password is not the current password/)
    const enrolled = await enrol(password, firstCode)
    assert.match(enrolled.stderr, /^Added the authenticator app\.\n.*recovery codes.*\n( {2}\S{19}\n){10}$/m)
    assert.match((await as('ops', ['second-factor', 'show'])).stdout, /^recoveryCodes +10$/m)

    const piped = await signIn('ops', undefined, password)
    assert.match(piped.stderr, /the server requires a second factor; cannot prompt/)
    const [recoveryCode = ''] = /\S{4}-\S{14}/.exec(enrolled.stderr) ?? []
    const login = ['login', '--account', 'ops', '--as', 'ops']
    const prompted = await runCaptured(login, {
      env: { WHARF_URL: server.url },
      home,
      answers: [password, recoveryCode],
    })
    assert.equal(prompted.code, 0, prompted.stderr)
    const wrong = await as('ops', ['second-factor', 'remove'], { answers: ['000000'] })
    assert.match(wrong.stderr, /removeAuthenticator\.secondFactor is wrong/)
    const replaced = await as('ops', ['second-factor', 'recovery-codes'], { answers: [password] })
    assert.match(replaced.stderr, /^Replaced the recovery codes\./)
    const removed = await asAdmin(['user', 'remove-second-factors', 'ops'])
    assert.equal(removed.stderr, 'Removed the second factors of user ops.\n')
    assert.equal((await signIn('ops', undefined, password)).code, 0)
  })

  await t.test('an account is deleted with its users', async () => {
    assert.equal((await asAdmin(['account', 'delete', 'ops'])).stderr, 'Deleted ops.\n')
    assert.equal((await asAdmin(['user', 'list', '-o', 'name'])).stdout, 'admin\n')
  })
})

test('a login to a server that requires a second factor adds an authenticator app', async (t) => {
  const server = await TestServer.start(t, { environment: { WHARF_REQUIRE_SECOND_FACTOR: 'admins' } })
  const home = freshHome(t)
  const firstCode = (shown: string): string => totpCode(/^ {2}([A-Z2-7]{32})$/m.exec(shown)?.[1] ?? '')
  const answers = [server.bootstrap.password, firstCode]
  const { code, stderr } = await runCaptured(['login', '--url', server.url, '--account', 'admin'], { home, answers })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /recovery codes.*\n( {2}\S{19}\n){10}Signed in at /)
  assert.match((await runCaptured(['second-factor', 'show'], { home })).stdout, /^isRequired +(true|yes)$/m)
})
