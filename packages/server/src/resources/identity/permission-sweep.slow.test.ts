import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isOptional, type Operation, operations, type Permission, type Role } from '@wharf/contract'
import { sha256 } from '@wharf/platform/constant-time.ts'
import { Client, type ClientCredential, startTrial, TestServer, trialOperations } from '@wharf/testkit'
import type { TSchema } from 'typebox'
import { ScopeSweep } from './testing/scope-sweep.ts'

/** All operations without a credential. A new name here is a decision, not a side effect. */
const publicOperations = [
  'ListOidcProviders',
  'LogInByAccount',
  'LogInByOidc',
  'LogInByUser',
  'LogOut',
  'StartOidcSignIn',
  'ValidateSession',
]

/** All operations in which a scope has no record to hide. A new name here is a decision, too. */
const withoutRecords = [
  'ChangeOwnPassword',
  'CheckElaborationContent',
  'ConfirmAuthenticator',
  'ConfirmDeviceLogin',
  'CreateAccount',
  'CreatePasskey',
  'CreatePasskeyChallenge',
  'CreateRecoveryCodes',
  'CreateTag',
  'DenyDeviceLogin',
  'EnrolAuthenticator',
  'FindDeviceLogin',
  'GetEvents',
  'GetHostKeys',
  'ReloadElaboration',
  'RemoveAuthenticator',
  'RemovePasskey',
]

/** Its credential is the response of an identity provider, which no caller here has. */
const isUnknownSignIn = (text: string): boolean => text.includes('this sign-in was not started in this browser')

/** Operations that a role may call only for its own records, beyond what the contract's permission declares. */
const narrowed = new Set(['CancelApiJob', 'RetryApiJob'])

/** These name nobody: they act on the second factor of the caller, who has none. */
const ofCallerOnly = new Set(['ConfirmAuthenticator', 'RemoveAuthenticator', 'CreatePasskey', 'RemovePasskey'])

/** Those that name no record of another user, but a code that a device shows. */
const byDeviceCode = new Set(['FindDeviceLogin', 'ConfirmDeviceLogin', 'DenyDeviceLogin'])

const server = await TestServer.start(
  { after },
  { extend: trialOperations, environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32' } },
)
const { database } = server.app.foundation
const { admin, bootstrap } = server
const served = [...operations, startTrial as Operation]

// Records of another user

async function inventoryOf(call: ReturnType<Client['post']>): Promise<Record<string, string>> {
  const { status, body, text } = await call
  assert.equal(status, 200, text)
  return body.inventory as Record<string, string>
}
const victim = await server.signIn('admin', 'victim')
const own = { accountUuid: victim.accountUuid, userUuid: victim.accountUuid }
const inside = { accountUuid: victim.accountUuid, name: 'inside', password: 'a long password' }
const user = await inventoryOf(admin.post('/v1/users', { params: inside }))
const key = await inventoryOf(admin.post('/v1/accesskeys', { params: own }))
const tag = await inventoryOf(admin.post('/v1/tags', { params: { name: 'a tag' } }))
const script = JSON.stringify({ trace: '/dev/null', stepMs: 600_000 })
const started = await victim.post('/v1/demo-jobs', { params: { script } }, { prefer: 'respond-async' })
const jobUuid = /api-jobs\/(\w+)/.exec(String(started.body.location))?.[1] ?? ''
const missingUuid = 'f'.repeat(32)

const uuids: Record<string, string | undefined> = {
  '/v1/accounts': victim.accountUuid,
  '/v1/users': user.uuid,
  '/v1/accesskeys': key.uuid,
  '/v1/tags': tag.uuid,
  '/v1/accounts/sessions': sha256((victim.credential as { uuid: string }).uuid).slice(0, 32),
  '/v1/api-jobs': jobUuid,
  '/v1/hosts': bootstrap.hostUuid,
  '/v1/backup-storage': bootstrap.backupStorageUuid,
  '/v1/management-nodes': bootstrap.managementNodeUuid,
}
/** An operator may change a host, but not the machine of the server, which is the only one here. */
const withoutRecord = ['UpdateHost']
const uuidFor = ({ name, path }: Operation): string =>
  (withoutRecord.includes(name) ? undefined : uuids[path.split('/{')[0] ?? '']) ?? missingUuid
const pathOf = (operation: Operation, uuid = uuidFor(operation)): string => operation.path.replaceAll(/\{\w+\}/g, uuid)

// Calls that would change something if they were allowed

const values: Record<string, unknown> = {
  ...own,
  accountName: 'admin',
  userName: 'admin',
  password: bootstrap.password,
  oldPassword: bootstrap.password,
  role: 'reader',
  stateEvent: 'disable',
  until: new Date(Date.now() + 3_600_000).toISOString(),
  script,
}
let made = 0

function bodyOf({ method, fields, structure = 'params' }: Operation): object | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined
  const given = Object.entries(fields as Record<string, TSchema>)
    .filter(([name, schema]) => !isOptional(schema) || (name in values && !/Uuid$|^oldPassword$/.test(name)))
    .map(([name, schema]) => [name, values[name] ?? sample(schema as unknown as Record<string, unknown>)])
  return { [structure]: Object.fromEntries(given) }
}

function sample(schema: Record<string, unknown>): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return []
  if (Array.isArray(schema.enum)) return schema.enum[0]
  return String(schema.pattern ?? '').includes('{32}') ? missingUuid : `sample ${made++}`
}

// Callers, and the expected responses by the contract

async function keyOf(
  userUuid: string,
  limits: object = {},
): Promise<Extract<ClientCredential, { kind: 'key' }> & { uuid: string }> {
  const params = { accountUuid: userUuid, userUuid, ...limits }
  const made = await inventoryOf(admin.post('/v1/accesskeys', { params }))
  return { kind: 'key', id: made.AccessKeyID ?? '', secret: made.AccessKeySecret ?? '', uuid: made.uuid ?? '' }
}

const adminKey = await keyOf(bootstrap.accountUuid)
const disabledKey = await keyOf(bootstrap.accountUuid)
await admin.put(`/v1/accesskeys/${disabledKey.uuid}/actions`, { changeAccessKeyState: { stateEvent: 'disable' } })
const ended = await server.logIn('admin', bootstrap.password)
await admin.delete(`/v1/accounts/sessions/${(ended.credential as { uuid: string }).uuid}`)
const now = Date.now()
const overdue = { kind: 'Password' as const, createDate: now - 9e6, lastUseDate: now - 8e6, expiredDate: now - 1 }
const { accountUuid, userUuid } = bootstrap
await database.transaction((tx) =>
  tx
    .insertInto('sessions')
    .values({ hash: sha256('overdue'), accountUuid, userUuid, ...overdue })
    .execute(),
)

type Headers = (method: string, path: string) => Record<string, string>
type Refusal = { status: number; code: string } | undefined
const as = (credential: ClientCredential): Headers => {
  const client = new Client(server.url, credential)
  return (method, path) => client.authorization(method, path)
}
const signedLate: Headers = (method, path) => {
  const date = new Date(Date.now() - 16 * 60_000).toUTCString()
  const signature = createHmac('sha1', adminKey.secret).update(`${method}\n${date}\n${path}`).digest('base64')
  return { date, authorization: `Service ${adminKey.id}:${signature}` }
}
const roles: Record<Role, ReadonlySet<Permission>> = {
  reader: new Set(['public', 'own', 'read']),
  operator: new Set(['public', 'own', 'read', 'operate']),
  admin: new Set(['public', 'own', 'read', 'operate', 'administer']),
}
const notSignedIn = { status: 401, code: 'ID.1001' }
const notBelieved = { status: 401, code: 'ID.1000' }
const notAllowed = { status: 403, code: 'ID.1002' }
const unlessPublic = (refusal: Refusal) => (operation: Operation) =>
  operation.permission === 'public' ? undefined : refusal
const byRole =
  (role: Role) =>
  ({ name, method, path, permission }: Operation): Refusal => {
    if (!roles[role].has(permission)) return notAllowed
    if (byDeviceCode.has(name)) return undefined
    // a list shows the caller what is its own; everything else here names what is the victim's
    const isForeign = permission === 'own' && !ofCallerOnly.has(name) && (method !== 'GET' || path.includes('{'))
    const namesForeign = narrowed.has(name) || isForeign
    return namesForeign ? notAllowed : undefined
  }

/** An admin's key for every second operation, and one for the others: each operation is in and out of a list. */
const names = operations.filter(({ permission }) => permission !== 'public').map(({ name }) => name)
const halves = [names.filter((_, index) => index % 2 === 0), names.filter((_, index) => index % 2 === 1)]
const group = 'software-packages'

/** It returns a secret of the victim's key, which permits more than a limited key. */
const givesRights = new Set(['RotateAccessKey'])

const keyUser = (await server.signIn('admin', 'owner of keys')).accountUuid
const inList =
  (isListed: (operation: Operation) => boolean) =>
  (operation: Operation): Refusal =>
    operation.permission === 'public' || (isListed(operation) && !givesRights.has(operation.name))
      ? undefined
      : notAllowed
const expiringKey = await keyOf(keyUser, { expiresDate: '2100-01-01' })
await database.transaction((tx) =>
  tx.updateTable('accessKeys').set({ expiresDate: now }).where('uuid', '=', expiringKey.uuid).execute(),
)

const callers: { name: string; headers: Headers; expected: (operation: Operation) => Refusal }[] = [
  { name: 'no credential', headers: () => ({}), expected: unlessPublic(notSignedIn) },
  { name: 'a bad signature', headers: as({ ...adminKey, secret: 'x' }), expected: unlessPublic(notBelieved) },
  { name: 'an expired date', headers: signedLate, expected: unlessPublic(notBelieved) },
  { name: 'a disabled key', headers: as(disabledKey), expected: unlessPublic(notBelieved) },
  { name: 'an ended session', headers: as(ended.credential), expected: unlessPublic(notSignedIn) },
  {
    name: 'an expired session',
    headers: as({ kind: 'session', uuid: 'overdue' }),
    expected: unlessPublic(notSignedIn),
  },
  { name: 'a reader', headers: as((await server.signIn('reader')).credential), expected: byRole('reader') },
  { name: 'an operator', headers: as((await server.signIn('operator')).credential), expected: byRole('operator') },
  { name: 'a key of a reader', headers: as(await keyOf(keyUser, { role: 'reader' })), expected: byRole('reader') },
  {
    name: 'a key of an operator',
    headers: as(await keyOf(keyUser, { role: 'operator' })),
    expected: byRole('operator'),
  },
  { name: 'an expired key', headers: as(expiringKey), expected: unlessPublic(notBelieved) },
  {
    name: 'the older scheme with a key that requires the newer',
    headers: as(await keyOf(keyUser, { schemes: ['rfc9421'] })),
    expected: unlessPublic(notBelieved),
  },
  {
    name: 'a key for another network',
    headers: as(await keyOf(keyUser, { allowedCidrs: ['192.0.2.0/24'] })),
    expected: unlessPublic(notAllowed),
  },
]

/** Of an admin: where they are not refused, the call would succeed. */
const limitedAdmins: typeof callers = [
  {
    name: 'a key for a group of operations',
    headers: as(await keyOf(bootstrap.accountUuid, { operations: [`${group}:*`] })),
    expected: inList(({ resource }) => resource === group),
  },
]
for (const [index, half] of halves.entries())
  limitedAdmins.push({
    name: `a key for half ${index} of the operations`,
    headers: as(await keyOf(bootstrap.accountUuid, { operations: half })),
    expected: inList(({ name }) => half.includes(name)),
  })

// The sweep

let source = 0

/** From another address each time, so that failures do not add up. A response that does not end is cancelled. */
async function send(
  { method, path, body }: { method: string; path: string; body?: object | undefined },
  headers: Headers,
) {
  const address = `10.1.${source >> 8}.${source++ & 255}`
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...headers(method, path),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      prefer: 'respond-async',
      'x-forwarded-for': address,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const text = isJson ? await response.text() : ''
  if (!isJson) await response.body?.cancel()
  const { error } = (isJson ? JSON.parse(text) : {}) as { error?: { code: string } }
  return { status: response.status, code: error?.code, text }
}

/** Everything that a call could have changed. */
const state = () =>
  Promise.all([
    ...(['accounts', 'users', 'tags'] as const).map((table) =>
      database.read.selectFrom(table).selectAll().orderBy('uuid').execute(),
    ),
    // but not when a key was used
    database.read.selectFrom('accessKeys').select(['uuid', 'state', 'sealedSecret']).orderBy('uuid').execute(),
    // nor what a probe of the host finds meanwhile
    database.read
      .selectFrom('hosts')
      .select(['uuid', 'name', 'state', 'address', 'packagesPath'])
      .orderBy('uuid')
      .execute(),
    database.read.selectFrom('jobs').select(['uuid', 'state', 'cancelRequested']).orderBy('uuid').execute(),
    database.read.selectFrom('idempotencyKeys').selectAll().execute(),
    database.read
      .selectFrom('events')
      .select('uuid')
      .where('resourceType', 'not in', ['ManagementNode', 'ApiJob'])
      .execute(),
  ])

/** Jobs that wait for something that does not happen here, such as the trials. */
const waiting = new Set<string>()

/** Resolves when the jobs that allowed calls started have ended, or a second later. */
async function settle(): Promise<void> {
  let active: string[] = []
  for (let tries = 0; tries < 20; tries++, await delay(50)) {
    const jobs = database.read.selectFrom('jobs').select('uuid')
    const found = await jobs.where('state', 'not in', ['Succeeded', 'Failed', 'Cancelled']).execute()
    active = found.map(({ uuid }) => uuid).filter((uuid) => !waiting.has(uuid))
    if (active.length === 0) return
  }
  for (const uuid of active) waiting.add(uuid)
}

/** A caller with a scope, and records within and outside it. */
const scope = await ScopeSweep.start({ server, operations, bodyOf })

test('the public operations are those of the list', () => {
  const found = served.filter(({ permission }) => permission === 'public').map(({ name }) => name)
  assert.deepEqual(found.sort(), publicOperations)
})

for (const operation of served) {
  test(`${operation.name} (${operation.permission}) rejects every caller without the permission`, async () => {
    const { method } = operation
    const call = { method, path: pathOf(operation), body: bodyOf(operation) }
    // with all permissions the same call is allowed
    const all = { ...call, path: method === 'DELETE' ? pathOf(operation, missingUuid) : call.path }
    // a limited key also needs the operation of the job that it repeats, once that job has ended
    const limited = operation.repeatsJobs ? [] : limitedAdmins
    const everybody = [...callers, ...limited].map((caller) => ({ ...caller, refusal: caller.expected(operation) }))
    const [allowed, refused] = [true, false].map((is) =>
      everybody.filter(({ refusal }) => (refusal === undefined) === is),
    )
    await settle()
    const before = await state()
    for (const { name, headers, refusal } of refused ?? []) {
      const { status, code, text } = await send(call, headers)
      assert.deepEqual({ status, code }, refusal, `${name}: ${text}`)
      // where several actions share a path, the one that was meant is named
      if (text.includes('needs more rights')) assert.ok(text.includes(`"${operation.name} needs more rights`), text)
    }
    // once for all of them: events only ever become more, so no later call hides the change of an earlier one
    assert.deepEqual(await state(), before)
    for (const { name, headers } of allowed ?? []) {
      const { status, text } = await send(all, headers)
      assert.ok(![401, 403].includes(status) || isUnknownSignIn(text), `${name}: ${status} ${text}`)
    }
    const { status, text } = await send(all, as(adminKey))
    assert.ok(![401, 403].includes(status) || isUnknownSignIn(text), `an admin: ${status} ${text}`)
  })
}

for (const operation of scope.named)
  test(`${operation.name} answers for a record outside the scope as for an unknown uuid`, () =>
    scope.checkNamed(operation))

for (const operation of scope.referring)
  test(`${operation.name} accepts no reference to a record outside the scope`, () => scope.checkReferences(operation))

for (const operation of scope.listing)
  test(`${operation.name} returns and counts nothing outside the scope`, () => scope.checkList(operation))

test('the event stream reports nothing outside the scope', () => scope.checkEvents())

test('an operation about all hosts is refused for a caller with a scope', () => scope.checkForAllHosts())

test('a caller with a scope reaches nothing with a credential that it did not send', () => scope.checkOwnCredentials())

test('the operations that neither name nor list records are those of the list', () =>
  assert.deepEqual(scope.others.map(({ name }) => name).sort(), withoutRecords))
