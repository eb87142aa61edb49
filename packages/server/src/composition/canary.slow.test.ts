import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import {
  type Answer,
  alertmanagerBody,
  Canaries,
  Client,
  EventReader,
  installable,
  rawCall,
  reverseCleanup,
  runServerProgram,
  ServerProcess,
  serverEnvironment,
  trialProgram,
} from '@wharf/testkit'
import pg from 'pg'

/**
 * Every secret that the server receives is unique here. Afterwards all its output and files are searched for them. Each
 * place also contains a harmless text that must be found, which proves that the search covers it.
 */
const canaries = new Canaries()
const harmless = `harmless${randomBytes(8).toString('hex')}`
const harmlessUuid = randomBytes(16).toString('hex')

const cleanup = reverseCleanup({ after })
const masterKey = randomBytes(32)
canaries.watch('master key', masterKey)
/** The source of packages, and their host. */
const packagesFolder = mkdtempSync(join(tmpdir(), 'wharf-canary-'))
cleanup.after(async () => rmSync(packagesFolder, { recursive: true, force: true }))
const environment = withSecrets(await serverEnvironment(cleanup))
const data = environment.WHARF_DATA ?? ''
const server = new ServerProcess(environment, trialProgram)
cleanup.after(async () => void (await server.stop()))
await server.start(60_000)
const { url, accessKeyId, accessKeySecret, accountUuid } = server.bootstrap
canaries.watch("the first key's secret", accessKeySecret)

function withSecrets(own: Record<string, string>): Record<string, string> {
  const secret = {
    ...own,
    WHARF_LOG_LEVEL: 'trace',
    WHARF_FILE_ROOTS: packagesFolder,
    WHARF_VERIFY_INTERVAL: '1s',
    WHARF_MASTER_KEY: masterKey.toString('hex'),
    WHARF_ADMIN_PASSWORD: canaries.create('WHARF_ADMIN_PASSWORD'),
    WHARF_METRICS_TOKEN: canaries.create('WHARF_METRICS_TOKEN'),
  }
  if (own.WHARF_DATABASE_URL === undefined) return secret
  const database = new URL(own.WHARF_DATABASE_URL)
  database.password = canaries.create('the password of the database')
  return { ...secret, WHARF_DATABASE_URL: database.href }
}

// Calls with secrets

/** The responses, and the secrets that each may show once. */
const answers: { call: string; text: string; mayShow: string[] }[] = []

async function call(
  client: Client,
  request: string,
  body?: unknown,
  more: { headers?: Record<string, string>; mayShow?: string[] } = {},
) {
  const [method = '', path = ''] = request.split(' ')
  const answer = await client.call(method, path, body, more.headers)
  keep(request, answer, more.mayShow)
  return answer
}

function keep(request: string, { text, headers }: Answer, mayShow: string[] = []): void {
  answers.push({ call: request, text: `${JSON.stringify([...headers])} ${text}`, mayShow })
}

const anonymous = new Client(url, { kind: 'none' })
const admin = new Client(url, { kind: 'key', id: accessKeyId, secret: accessKeySecret })
const sha512 = (text: string): string => hash('sha512', text, 'hex')
const inventoryOf = ({ body }: Answer) => body.inventory as Record<string, string>

/** A password in both forms that sign in. */
function password(name: string): string {
  const secret = canaries.create(name)
  canaries.watch(`${name} as SHA-512`, sha512(secret))
  return secret
}

async function logIn(path: string, fields: object, name: string): Promise<Client> {
  const structure = path.includes('users') ? 'logInByUser' : 'logInByAccount'
  const answer = await call(anonymous, `PUT ${path}`, { [structure]: fields }, { mayShow: [name] })
  const { uuid = '' } = inventoryOf(answer)
  canaries.watch(name, uuid)
  return new Client(url, { kind: 'session', uuid })
}

async function signInAndOut(): Promise<void> {
  const given = environment.WHARF_ADMIN_PASSWORD ?? ''
  canaries.watch('WHARF_ADMIN_PASSWORD as SHA-512', sha512(given))
  const session = await logIn('/v1/accounts/login', { accountName: 'admin', password: given }, 'a session')
  const other = await logIn('/v1/accounts/login', { accountName: 'admin', password: sha512(given) }, 'another session')
  const { uuid } = session.credential as { uuid: string }
  await call(session, 'GET /v1/tags')
  await call(anonymous, `GET /v1/accounts/sessions/${uuid}/valid`)
  await call(anonymous, `GET /v1/accounts/s%65ssions/${uuid}/valid`)
  await call(anonymous, `GET /v1/accounts/sessions/${uuid}/nothing`)
  await call(anonymous, `PATCH /v1/accounts/sessions/${uuid}`)
  await call(other, `DELETE /v1/accounts/sessions/${uuid}`)
  await call(session, 'GET /v1/tags')
}

async function failToSignIn(): Promise<void> {
  for (const accountName of ['admin', 'nobody']) {
    const wrong = password(`a wrong password of ${accountName}`)
    await call(anonymous, 'PUT /v1/accounts/login', { logInByAccount: { accountName, password: wrong } })
    await call(anonymous, 'PUT /v1/accounts/login', { logInByAccount: { accountName, password: sha512(wrong) } })
  }
  for (const scheme of ['OAuth ', 'Service no-such-key:', 'Bearer ', 'Basic ', '']) {
    const authorization = scheme + canaries.create(`an Authorization with "${scheme}"`)
    await call(anonymous, 'GET /v1/tags', undefined, { headers: { authorization } })
    await call(anonymous, 'GET /metrics', undefined, { headers: { authorization } })
  }
  const signature = admin.authorization('GET', '/v1/tags').authorization ?? ''
  canaries.watch('a signature', signature.split(':')[1] ?? '')
  await call(anonymous, 'GET /v1/tags', undefined, { headers: { authorization: signature } })
}

/** Secrets in calls that are refused: an error must not repeat them. */
async function sendNonsense(): Promise<void> {
  const secret = (where: string) => canaries.create(`a secret ${where}`)
  const keyOf = (fields: object) => ({ params: { accountUuid, userUuid: accountUuid, ...fields } })
  await call(admin, 'POST /v1/accounts', { params: { name: 'x', password: [secret('in a list')] } })
  await call(admin, 'POST /v1/accounts', { params: { name: 'x', password: secret('that is too long').repeat(40) } })
  await call(admin, 'POST /v1/accounts', { params: { name: 'x', password: `${secret('with NUL')}\0` } })
  await call(admin, 'POST /v1/accounts', { params: { name: 'x', password: secret('beside a wrong role'), role: 'x' } })
  await call(admin, 'POST /v1/accounts', `{"params":{"password":"${secret('in broken JSON')}"`)
  await call(admin, 'POST /v1/accounts', secret('in a text'), { headers: { 'content-type': 'text/plain' } })
  await call(admin, 'POST /v1/accesskeys', keyOf({ AccessKeySecret: `${secret('with a colon')}:` }))
  await call(admin, 'POST /v1/accesskeys', keyOf({ AccessKeySecret: secret('twice').repeat(2) }))
  await call(admin, `GET /v1/accesskeys?q=AccessKeySecret=${secret('in a condition')}`)
  await call(admin, `GET /v1/tags?token=${secret('in a query')}`)
  await call(anonymous, `GET /v1/api-jobs/${harmlessUuid}?token=${secret('in a token')}`)
  const target = `http://user:${secret('in an address')}@localhost/v1/tags`
  keep('userinfo', await rawCall(url, { path: target }))
  await call(anonymous, `GET /v1/${harmless}`)
}

async function handleAccounts(): Promise<void> {
  const own = password('the password of an account')
  const next = password('the next password of an account')
  const made = await call(admin, 'POST /v1/accounts', {
    params: { name: 'ours', password: own, description: harmless, role: 'reader', resourceUuid: harmlessUuid },
  })
  const { uuid = '' } = inventoryOf(made)
  const session = await logIn('/v1/accounts/login', { accountName: 'ours', password: own }, 'a session of an account')
  const change = (oldPassword: string) => ({ updateAccount: { password: next, oldPassword } })
  await call(session, `PUT /v1/accounts/${uuid}/actions`, change(canaries.create('a wrong old password')))
  await call(session, `PUT /v1/accounts/${uuid}/actions`, change(own))

  const ofUser = password('the password of a user')
  const params = { accountUuid: uuid, name: 'inside', password: ofUser }
  const user = inventoryOf(await call(admin, 'POST /v1/users', { params }))
  await logIn(
    '/v1/accounts/users/login',
    { accountUuid: uuid, userName: 'inside', password: ofUser },
    'a session of a user',
  )
  const updateUser = { password: password('the next password of a user') }
  await call(admin, `PUT /v1/users/${user.uuid}/actions`, { updateUser })
}

async function handleKeys(): Promise<void> {
  const own = { accountUuid, userUuid: accountUuid }
  const chosen = canaries.create('a chosen secret of a key')
  const given = { mayShow: ['a chosen secret of a key'] }
  const { uuid, AccessKeyID: id = '' } = inventoryOf(
    await call(admin, 'POST /v1/accesskeys', { params: { ...own, AccessKeySecret: chosen } }, given),
  )
  await call(new Client(url, { kind: 'key', id, secret: chosen }), 'GET /v1/tags')
  const made = await call(admin, 'POST /v1/accesskeys', { params: own }, { mayShow: ['a made-up secret of a key'] })
  canaries.watch('a made-up secret of a key', inventoryOf(made).AccessKeySecret ?? '')
  await call(admin, `PUT /v1/accesskeys/${uuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } })
}

/** Stored responses of idempotent calls. */
async function repeatCalls(): Promise<void> {
  const headers = { 'idempotency-key': 'once' }
  const account = (name: string) => ({ params: { name: 'repeated', password: password(name) } })
  const first = account('a password in a repeated call')
  await call(admin, 'POST /v1/accounts', first, { headers })
  await call(admin, 'POST /v1/accounts', first, { headers })
  await call(admin, 'POST /v1/accounts', account('a password in another call with its key'), { headers })
  const name = 'a secret in a repeated answer'
  const params = { accountUuid, userUuid: accountUuid, AccessKeySecret: canaries.create(name) }
  const again = { 'idempotency-key': 'twice' }
  await call(admin, 'POST /v1/accesskeys', { params }, { headers: again, mayShow: [name] })
  await call(admin, 'POST /v1/accesskeys', { params }, { headers: again })
  const failing = {
    ...params,
    AccessKeyID: 'x',
    AccessKeySecret: canaries.create('a secret in a call that fails at its job'),
  }
  const job = await call(
    admin,
    'POST /v1/accesskeys',
    { params: failing },
    { headers: { 'x-job-uuid': 'e'.repeat(32) }, mayShow: ['a job token 0'] },
  )
  await followJob(job, 'a job token 0')
}

async function runJobs(): Promise<void> {
  for (const [n, failAt] of [undefined, 'run second'].entries()) {
    const name = `a job token ${n + 1}`
    const secret = canaries.create(`a secret in the input of job ${n + 1}`)
    const script = JSON.stringify({ trace: '/dev/null', secret, failAt })
    const headers = { prefer: 'respond-async' }
    await followJob(await call(admin, 'POST /v1/demo-jobs', { params: { script } }, { headers, mayShow: [name] }), name)
  }
}

async function followJob({ body }: Answer, tokenName: string): Promise<void> {
  const { pathname, searchParams } = new URL(String(body.location))
  const token = searchParams.get('token') ?? ''
  canaries.watch(tokenName, token)
  const job = pathname.slice(pathname.indexOf('/v1'))
  for (let tries = 0; tries < 200; tries++)
    if ((await call(anonymous, `GET ${job}?token=${token}`)).status !== 202) break
  await call(anonymous, `GET ${job}/log?token=${token}`)
}

/** A chat whose address and signing secret are refused, used without success and changed, and the token of a platform. */
async function sendChatMessage(): Promise<void> {
  const base = '/v1/sns/application-endpoints/chatapp'
  const address = (what: string) => `http://localhost:1/${canaries.create(`the address of a chat ${what}`)}`
  const secret = canaries.create('the secret of a chat')
  const chat = { name: 'chat', type: 'DingTalk', url: address('that is kept'), secret }
  const { uuid } = inventoryOf(await call(admin, `POST ${base}`, { params: chat }))
  await call(admin, `POST ${base}`, { params: { ...chat, url: `ftp${address('with another scheme')}` } })
  await call(admin, `POST ${base}`, { params: { ...chat, url: address('with a space ') } })
  const job = await call(
    admin,
    `POST ${base}/${uuid}/test`,
    {},
    {
      headers: { prefer: 'respond-async' },
      mayShow: ['a job token 3'],
    },
  )
  await followJob(job, 'a job token 3')
  const update = { url: address('that is changed'), secret: canaries.create('another secret of a chat') }
  await call(admin, `PUT ${base}/${uuid}/actions`, { updateChatAppEndpoint: update })

  const plugin = inventoryOf(await call(admin, 'POST /v1/cluster-plugin', { params: { name: 'etcd' } }))
  const attached = await call(admin, `POST /v1/cluster-plugin/${plugin.uuid}/alert-platform`, {})
  const platform = `/v1/zwatch/third-party/platforms/${(attached.body.thirdPartyPlatform as { uuid: string }).uuid}`
  const shows = { mayShow: ['the token of a platform'] }
  const { token } = (await call(admin, `PUT ${platform}/actions`, { resetToken: {} }, shows)).body
  canaries.watch('the token of a platform', String(token))
  const alerts = alertmanagerBody({ name: 'Down', labels: { severity: 'warning' } })
  for (const bearer of [String(token), canaries.create('a wrong token of a platform')])
    await call(anonymous, `POST ${platform}/alerts`, alerts, { headers: { authorization: `Bearer ${bearer}` } })
  for (let tries = 0; tries < 200; tries++)
    if ((await call(admin, 'GET /v1/sns/deliveries?q=status=Failed')).text.includes('Down')) break
  await call(admin, `GET ${base}?q=secret=${secret}`)
}

/** Configurations that are kept, for hooks that print them; the second upgrade fails and restores the first version. */
async function upgradePackage(): Promise<void> {
  const token = { type: 'string', writeOnly: true }
  const config = { type: 'object', properties: { token, inner: { properties: { token } }, harmless: {} } }
  const configWith = (what: string) => ({
    token: canaries.create(`a secret in ${what}`),
    inner: { token: canaries.create(`an inner secret in ${what}`) },
    harmless,
  })
  const packageUrl = (version: string, verify: string): string => {
    const hooks = { install: 'cat', uninstall: 'cat', upgrade: 'cat', verify: `cat; ${verify}` }
    const file = join(packagesFolder, `${version}.tar`)
    writeFileSync(file, installable({ name: 'kept', version, hooks, config }))
    return `file://${file}`
  }
  const { hostUuid, managementNodeUuid } = server.bootstrap
  const base = { name: 'kept', type: 'demo', managementNodeUuid, hostUuid }
  const upload = { ...base, url: packageUrl('1.0.0', 'exit 0'), installPath: join(packagesFolder, 'host/1.tar') }
  const { uuid } = inventoryOf(await call(admin, 'POST /v1/software-packages/upload', { params: upload }))
  const release = async (version: string, verify: string) => {
    const params = { name: 'kept', type: 'demo', url: packageUrl(version, verify), installPath: `kept/${version}.tar` }
    const stored = inventoryOf(await call(admin, 'POST /v1/software-packages/backup-storage/upload', { params }))
    const published = { params: { softwarePackageUuid: stored.uuid } }
    return inventoryOf(await call(admin, 'POST /v1/releases', published)).uuid
  }
  const act = (at: string | undefined, action: object) => call(admin, `PUT /v1/software-package/${at}/actions`, action)
  const wrong = {
    ...configWith('a configuration that is refused'),
    inner: canaries.create('a secret in the wrong place'),
  }
  const install = (given: object) =>
    call(admin, `PUT /v1/software-package/install/${uuid}/actions`, {
      installSoftwarePackage: { config: JSON.stringify(given) },
    })
  await install({ ...wrong, token: [wrong.token] })
  await install(configWith('a configuration'))
  await act(uuid, { verifySoftwarePackage: {} })
  const good = { releaseUuid: await release('2.0.0', 'exit 0'), config: configWith('the configuration of an upgrade') }
  const upgraded = inventoryOf(await act(uuid, { upgradeSoftwarePackage: good }))
  const bad = {
    releaseUuid: await release('3.0.0', 'exit 1'),
    config: configWith('the configuration of a failed upgrade'),
  }
  await act(upgraded.uuid, { upgradeSoftwarePackage: bad })
  await act(upgraded.uuid, { rollBackSoftwarePackage: {} })
  const shown = await call(admin, `GET /v1/software-package/${uuid}/config`)
  assert.deepEqual(shown.body.config, { inner: {}, harmless })
  const jobs = (await call(admin, `GET /v1/api-jobs?q=subjectName=kept&limit=100`)).body.inventories as {
    uuid: string
  }[]
  assert.ok(jobs.length >= 7)
  for (const job of jobs) await call(admin, `GET /v1/api-jobs/${job.uuid}/log`)
}

await signInAndOut()
await failToSignIn()
await sendNonsense()
await handleAccounts()
await handleKeys()
await repeatCalls()
await runJobs()
await sendChatMessage()
await upgradePackage()
const collections = [
  'accounts',
  'users',
  'accesskeys',
  'api-jobs',
  'tags',
  'system-tags',
  'user-tags',
  'hosts',
  'backup-storage',
  'software-package',
  'releases',
  'management-nodes',
  'cluster-plugin',
  'zwatch/third-party/platforms',
  'zwatch/third-party/alerts',
  'sns/application-endpoints/chatapp',
  'sns/application-endpoints/chatapp/at-persons',
  'sns/deliveries',
]
for (const name of collections) await call(admin, `GET /v1/${name}`)
const bearer = { authorization: `Bearer ${environment.WHARF_METRICS_TOKEN}` }
const metrics = await call(anonymous, 'GET /metrics', undefined, { headers: bearer })
const document = await call(anonymous, 'GET /openapi.json')
const docs = await call(anonymous, 'GET /docs')

// Places that are searched

async function events(): Promise<string> {
  const reader = new EventReader(admin, '/v1/events', { 'last-event-id': '0' })
  setTimeout(() => reader.stop(), 1000)
  const lines: string[] = []
  for await (const event of reader) lines.push(JSON.stringify(event))
  return lines.join('\n')
}

async function databaseDump(): Promise<Buffer> {
  if (environment.WHARF_DATABASE_URL === undefined)
    return Buffer.concat(['wharf.db', 'wharf.db-wal'].map((name) => readFileSync(join(data, name))))
  const client = new pg.Client({ connectionString: environment.WHARF_DATABASE_URL })
  await client.connect()
  const tables = await client.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await client.query(`select t::text as text from ${client.escapeIdentifier(name)} t`)
    rows.push(`${name}:`, ...found.rows.map(({ text }) => text as string))
  }
  await client.end()
  return Buffer.from(rows.join('\n'))
}

/** All files in the data folder except the one that contains secrets. */
const files = (): Buffer =>
  Buffer.concat(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'bootstrap.json')
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  )

async function backup(): Promise<Buffer> {
  const file = join(dirname(data), 'backup')
  const { code, stdout, stderr } = await runServerProgram(environment, ['backup', file])
  assert.equal(code, 0, stderr)
  const bytes = readFileSync(file)
  return Buffer.concat([gunzipSync(bytes), bytes, Buffer.from(stdout + stderr)])
}

const commandLine = (): string =>
  existsSync('/proc') ? readFileSync(`/proc/${server.pid}/cmdline`, 'utf8') : trialProgram

const places: { name: string; content: () => Promise<string | Buffer> | string | Buffer; contains: string }[] = [
  { name: 'the events', content: events, contains: harmlessUuid },
  { name: 'the metrics', content: () => metrics.text, contains: 'operation="CreateAccount"' },
  { name: 'the API document', content: () => document.text, contains: 'createAccessKey' },
  { name: 'the reference', content: () => docs.text, contains: '<html' },
  { name: 'the database', content: databaseDump, contains: harmless },
  { name: 'the files', content: files, contains: server.bootstrap.managementNodeUuid },
  { name: 'a backup', content: backup, contains: harmless },
  { name: 'the command line', content: commandLine, contains: basename(trialProgram) },
  // last, because lines may arrive until the process has ended
  { name: 'the log', content: () => server.stop().then(() => server.stderr), contains: `/v1/${harmless}` },
  { name: 'standard output', content: () => server.stdout, contains: 'is ready at' },
]

for (const { name, content, contains } of places) {
  test(`no secret is in ${name}`, async () => {
    const found = await content()
    assert.ok(Buffer.from(found).includes(contains), `${name} does not contain ${contains}`)
    assert.deepEqual(canaries.findIn(found), [])
  })
}

test('a response shows a secret only where it is shown once', () => {
  assert.ok(answers.length > 60 && canaries.count > 50)
  for (const { call, text, mayShow } of answers) assert.deepEqual(canaries.findIn(text), mayShow, `${call}: ${text}`)
})

test('job logs are searched, and mask secrets', () => {
  const logs = answers.filter(({ call }) => call.includes('/log?'))
  assert.ok(logs.some(({ text }) => text.includes('run second with [secret]')))
})

test('a failed start prints no setting that is a secret', async () => {
  const broken: Record<string, string>[] = [
    { WHARF_METRICS_TOKEN: `${canaries.create('a metrics token with a space')} x` },
    { WHARF_ADMIN_PASSWORD: `${canaries.create('a password with a line')}\n` },
    { WHARF_MASTER_KEY: canaries.create('a master key that is none') },
    { WHARF_DATABASE_URL: `mysql://wharf:${canaries.create('the password of another database')}@127.0.0.1/x` },
    {
      WHARF_DATABASE_URL: `postgres://wharf:${canaries.create('the password of no database')}@127.0.0.1:1/x`,
      WHARF_MASTER_KEY: masterKey.toString('base64'),
    },
  ]
  for (const settings of broken) {
    const { code, stdout, stderr } = await runServerProgram({
      WHARF_DATA: join(dirname(data), 'other'),
      WHARF_PORT: '0',
      ...settings,
    })
    assert.notEqual(code, 0)
    assert.match(stderr, /^wharf-server: .+\n$/)
    assert.deepEqual(canaries.findIn(stdout + stderr), [])
  }
})
