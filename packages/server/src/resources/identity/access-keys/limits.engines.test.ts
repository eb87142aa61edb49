import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, MovingClock, TestServer } from '@wharf/testkit'
import type { SystemEvent } from '../../../events/system-event.ts'
import { ExpiryReports } from './expiry-reports.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const noon = Date.parse('2026-11-05T12:00:00Z')
const clock = new MovingClock(noon)
const server = await TestServer.start(
  { after },
  { clock, environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32', WHARF_TIMEZONE: 'Asia/Shanghai' } },
)
const { foundation } = server.app
const { database } = foundation
const operator = await server.signIn('operator')
const own = { accountUuid: operator.accountUuid, userUuid: operator.accountUuid }

type Key = Record<string, unknown> & { uuid: string; AccessKeyID: string; AccessKeySecret: string }
const create = (params: object, as: Client = operator): Promise<Answer> =>
  as.post('/v1/accesskeys', { params: { ...own, ...params } })
const keyOf = (answer: Answer): Key => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.inventory as Key
}
const byService = ({ AccessKeyID: id, AccessKeySecret: secret }: Key) =>
  new Client(server.url, { kind: 'key', id, secret }, clock)
const byMessage = ({ AccessKeyID: id, AccessKeySecret: key }: Key) =>
  new Client(server.url, { kind: 'message', id, key }, clock)
const shown = async (uuid: string): Promise<Key> => {
  const { body } = await server.admin.get(`/v1/accesskeys/${uuid}`)
  return (body.inventories as Key[])[0] as Key
}
const rotate = (as: Client, uuid: string, fields: object = {}) =>
  as.put(`/v1/accesskeys/${uuid}/actions`, { rotateAccessKey: fields })
let names = 0
const atNoon = (t: { after(work: () => void): void }) => t.after(() => clock.advance(noon - clock.now()))

test('a key without limits has those of its user, and both schemes', async () => {
  const key = keyOf(await create({}))
  const unlimited = { role: null, operations: [], allowedCidrs: [], schemes: ['service', 'rfc9421'] }
  assert.partialDeepStrictEqual(key, { ...unlimited, publicKey: null, expiresDate: null, overlapEndDate: null })
  for (const client of [byService(key), byMessage(key)]) assert.equal((await client.get('/v1/tags')).status, 200)
})

test('the limits of a key are shown, and can be queried', async () => {
  const limits = {
    role: 'reader',
    operations: ['QueryTag', 'hosts:*'],
    allowedCidrs: ['10.0.0.0/8', '192.0.2.7/32', '2001:db8::/32'],
    schemes: ['rfc9421'],
  }
  const given = { ...limits, allowedCidrs: ['10.0.0.0/8', '192.0.2.7', '2001:DB8::/32'] }
  const key = keyOf(await create({ ...given, expiresDate: '2026-12-31 18:00:00' }))
  const expected = { ...limits, expiresDate: 'Dec 31, 2026 6:00:00 PM', lastUsedDate: null }
  assert.partialDeepStrictEqual(key, expected)
  assert.partialDeepStrictEqual(await shown(key.uuid), expected)
  const found = await server.admin.get('/v1/accesskeys?q=role=reader&q=expiresDate>2026-12-31&sort=-role')
  assert.deepEqual(
    (found.body.inventories as Key[]).map(({ uuid }) => uuid),
    [key.uuid],
  )
})

const invalid: Record<string, [params: object, details: string]> = {
  'a role above that of the user': [{ role: 'admin' }, 'params.role admin has more rights than the role operator'],
  'an unknown operation': [{ operations: ['QueryTagg'] }, 'no operation or group QueryTagg; did you mean QueryTag?'],
  'an unknown group': [{ operations: ['ships:*'] }, 'no operation or group ships:*; groups have the form'],
  'no operations': [{ operations: [] }, 'params.operations is empty'],
  'a network with host bits': [{ allowedCidrs: ['10.0.0.1/8'] }, 'params.allowedCidrs: 10.0.0.1/8 must be a network'],
  'no networks': [{ allowedCidrs: [] }, 'params.allowedCidrs is empty'],
  'the older scheme alone': [{ schemes: ['service'] }, 'params.schemes must contain rfc9421'],
  'an unknown scheme': [{ schemes: ['oauth'] }, 'params.schemes'],
  'a past expiry': [{ expiresDate: '2026-11-05T11:59:59Z' }, 'params.expiresDate 2026-11-05T11:59:59Z is in the past'],
  'an expiry that is not a time': [{ expiresDate: 'soon' }, 'params.expiresDate must be a time such as'],
  'a public key that is none': [{ publicKey: 'ssh-ed25519 AAAA' }, 'params.publicKey must be an Ed25519 public key'],
  'a private key': [{ publicKey: pemOf('private') }, 'params.publicKey must be an Ed25519 public key'],
  'a public key and a secret': [
    { publicKey: pemOf('public'), AccessKeySecret: 'x'.repeat(20) },
    'params.publicKey and params.AccessKeySecret exclude each other',
  ],
  'a public key for the older scheme': [
    { publicKey: pemOf('public'), schemes: ['service', 'rfc9421'] },
    'params.schemes: a key with a public key',
  ],
}
for (const [name, [params, details]] of Object.entries(invalid))
  test(`refuses ${name}`, async () => {
    const count = () => database.read.selectFrom('accessKeys').select('uuid').execute()
    const before = await count()
    assertFailure(await create(params), { status: 400, code: 'SYS.1007', details })
    assert.deepEqual(await count(), before)
  })

function pemOf(kind: 'public' | 'private'): string {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key =
    kind === 'public'
      ? publicKey.export({ type: 'spki', format: 'pem' })
      : privateKey.export({ type: 'pkcs8', format: 'pem' })
  return key.toString()
}

test('the role of a key lowers that of its user, and follows it down', async () => {
  const reader = byMessage(keyOf(await create({ role: 'reader' })))
  assertFailure(await reader.post('/v1/tags', { params: { name: 'x' } }), { status: 403, code: 'ID.1002' })
  assert.equal((await reader.get('/v1/tags')).status, 200)
  const lowered = await server.signIn('operator')
  const user = { accountUuid: lowered.accountUuid, userUuid: lowered.accountUuid }
  const key = byMessage(keyOf(await create({ ...user, role: 'operator' }, server.admin)))
  assert.equal((await key.post('/v1/tags', { params: { name: 'as operator' } })).status, 200)
  await server.admin.put(`/v1/users/${user.userUuid}/actions`, { updateUser: { role: 'reader' } })
  assertFailure(await key.post('/v1/tags', { params: { name: 'as reader' } }), { status: 403, code: 'ID.1002' })
})

test('a key for some operations calls these and no others, also where actions share a path', async () => {
  const key = keyOf(await create({ operations: ['QueryTag', 'RotateAccessKey', 'software-packages:*'] }))
  const limited = byService(key)
  assert.equal((await limited.get('/v1/tags')).status, 200)
  assert.equal((await limited.get('/v1/software-package')).status, 200)
  const only = 'only QueryTag, RotateAccessKey, software-packages:*'
  const refused = (name: string) => ({
    status: 403,
    code: 'ID.1002',
    details: `access key ${key.AccessKeyID} may not call ${name}, ${only}`,
  })
  assertFailure(await limited.get('/v1/hosts'), refused('QueryHost'))
  assertFailure(await limited.post('/v1/tags', { params: { name: 'no' } }), refused('CreateTag'))
  const actions = `/v1/accesskeys/${key.uuid}/actions`
  const disable = { changeAccessKeyState: { stateEvent: 'disable' } }
  assertFailure(await limited.put(actions, disable), refused('ChangeAccessKeyState'))
  // before the body is read, and before ownership
  assertFailure(await limited.put(`/v1/users/${own.userUuid}/actions`, 'no JSON'), { status: 403, code: 'ID.1002' })
  assert.equal((await rotate(limited, key.uuid)).status, 200)
})

test('a key for some networks is refused from others', async () => {
  const key = keyOf(await create({ allowedCidrs: ['192.0.2.0/24', '2001:db8::/32'] }))
  for (const [source, status] of [
    ['192.0.2.9', 200],
    ['::ffff:192.0.2.9', 200],
    ['2001:db8::1', 200],
    ['198.51.100.1', 403],
    ['2001:db9::1', 403],
  ] as const)
    for (const client of [byService(key), byMessage(key)]) {
      const answer = await client.get('/v1/tags', { 'x-forwarded-for': source })
      assert.equal(answer.status, status, `${source}: ${answer.text}`)
      if (status === 403)
        assertFailure(answer, {
          status,
          code: 'ID.1002',
          details: `may not be used from ${source}, only from 192.0.2.0/24`,
        })
    }
})

test('a key that requires RFC 9421 refuses the older scheme, to those who know the secret', async () => {
  const key = keyOf(await create({ schemes: ['rfc9421'] }))
  assert.equal((await byMessage(key).get('/v1/tags')).status, 200)
  const details = `access key ${key.AccessKeyID} requires signatures by RFC 9421`
  assertFailure(await byService(key).get('/v1/tags'), { status: 401, code: 'ID.1000', details })
  const guess = await byService({ ...key, AccessKeySecret: 'a guess' }).get('/v1/tags')
  assertFailure(guess, { status: 401, code: 'ID.1000', details: 'wrong accessKey signature' })
})

test('an expired key is 401 with its own text, to those who know the secret', async (t) => {
  atNoon(t)
  const key = keyOf(await create({ expiresDate: '2026-11-05T13:00:00Z' }))
  clock.advance(hourMs - 1)
  assert.equal((await byMessage(key).get('/v1/tags')).status, 200)
  clock.advance(1)
  const expired = {
    status: 401,
    code: 'ID.1000',
    details: `access key ${key.AccessKeyID} expired on Thu, 05 Nov 2026 13:00:00 GMT; create another one`,
  }
  for (const client of [byMessage(key), byService(key)]) {
    assertFailure(await client.get('/v1/tags'), expired)
    assertFailure(await client.post('/v1/tags', { params: { name: 'late' } }), expired)
  }
  const guess = await byMessage({ ...key, AccessKeySecret: 'a guess' }).get('/v1/tags')
  assertFailure(guess, { status: 401, code: 'ID.1000', details: 'wrong accessKey signature' })
})

const inAnHour = '2026-11-05T13:00:00Z'
/** A limit of a key, and what a key with it may and may not give to others. */
const passedOn: Record<string, { own: object; within: object; beyond: object[]; excess: string }> = {
  'an expiry': {
    own: { expiresDate: inAnHour },
    within: { expiresDate: '2026-11-05T12:30:00Z' },
    beyond: [{ expiresDate: '2026-11-05T13:00:01Z' }],
    excess: 'calls after Thu, 05 Nov 2026 13:00:00 GMT, when the credential of this call ends',
  },
  'a role': {
    own: { role: 'reader' },
    within: { role: 'reader' },
    beyond: [{ role: 'operator' }],
    excess: 'the role operator, and its own is reader',
  },
  operations: {
    own: { operations: ['identity:*', 'QueryTag'] },
    within: { operations: ['CreateAccessKey', 'QueryTag'] },
    beyond: [{ operations: ['QueryTag', 'CreateTag'] }, { operations: ['tags:*'] }],
    excess: 'the operation (CreateTag|tags:)',
  },
  addresses: {
    own: { allowedCidrs: ['127.0.0.0/8', '::1'] },
    within: { allowedCidrs: ['127.0.0.1'] },
    beyond: [
      { allowedCidrs: ['127.0.0.1', '10.0.0.0/8'] },
      { allowedCidrs: ['126.0.0.0/7'] },
      { allowedCidrs: ['::/0'] },
    ],
    excess: 'the network (10|126|::)',
  },
  'one scheme': {
    own: { schemes: ['rfc9421'] },
    within: { schemes: ['rfc9421'] },
    beyond: [{ schemes: ['service', 'rfc9421'] }],
    excess: 'the scheme service',
  },
}
for (const [name, { own: limit, within, beyond, excess }] of Object.entries(passedOn))
  test(`a key with ${name} gives no more rights than it has: to a new key, by a rotation, by enabling one`, async () => {
    const key = keyOf(await create(limit))
    const limited = byMessage(key)
    const refused = { status: 403, code: 'ID.1002' }
    for (const params of beyond) {
      const answer = await create(params, limited)
      assertFailure(answer, { ...refused, details: 'may not create a key that permits more than itself' })
      assert.match(answer.text, new RegExp(`than itself: (${excess})`))
    }
    assert.partialDeepStrictEqual(keyOf(await create(within, limited)), await fieldsOf(within))
    // what is omitted is inherited
    assert.partialDeepStrictEqual(keyOf(await create({}, limited)), await fieldsOf(limit))

    const other = keyOf(await create({}))
    const enable = { changeAccessKeyState: { stateEvent: 'enable' } }
    assertFailure(await rotate(limited, other.uuid), refused)
    assertFailure(await limited.put(`/v1/accesskeys/${other.uuid}/actions`, enable), refused)
    const same = keyOf(await create(limit))
    assert.equal((await rotate(limited, same.uuid)).status, 200)
    assert.equal((await limited.delete(`/v1/accesskeys/${same.uuid}`)).status, 200)
    assert.equal((await rotate(limited, key.uuid)).status, 200)
  })

/** Of a new key with these limits, as they are shown. */
async function fieldsOf(limits: object): Promise<object> {
  const key = keyOf(await create(limits))
  return Object.fromEntries(Object.keys(limits).map((field) => [field, key[field]]))
}

test('a key takes access from keys that permit more, unless their role has more rights', async () => {
  const limited = byMessage(keyOf(await create({ expiresDate: inAnHour, operations: ['identity:*'] })))
  const leaked = keyOf(await create({}))
  const disable = { changeAccessKeyState: { stateEvent: 'disable' } }
  assert.equal((await limited.put(`/v1/accesskeys/${leaked.uuid}/actions`, disable)).status, 200)
  assert.equal((await limited.delete(`/v1/accesskeys/${leaked.uuid}`)).status, 200)
  const reader = byService(keyOf(await create({ role: 'reader' })))
  const details = 'may not manage a key with the role operator'
  const other = keyOf(await create({}))
  for (const call of [rotate(reader, other.uuid), reader.delete(`/v1/accesskeys/${other.uuid}`)])
    assertFailure(await call, { status: 403, code: 'ID.1002', details })
})

test('a key keeps its role when the user gets a higher one, and so does a key that it created', async () => {
  const user = await server.signIn('operator')
  const of = { accountUuid: user.accountUuid, userUuid: user.accountUuid }
  const capped = byMessage(keyOf(await create({ ...of, role: 'operator' }, user)))
  const child = byMessage(keyOf(await create(of, capped)))
  await server.admin.put(`/v1/users/${of.userUuid}/actions`, { updateUser: { role: 'admin' } })
  for (const key of [capped, child]) assertFailure(await key.get('/v1/audit-entries'), { status: 403, code: 'ID.1002' })
})

test('during the overlap of a rotation both secrets are accepted, then the new one alone', async (t) => {
  atNoon(t)
  const key = keyOf(await create({ expiresDate: '2027-11-05' }))
  const rotated = keyOf(await rotate(operator, key.uuid, { overlapHours: 2 }))
  assert.notEqual(rotated.AccessKeySecret, key.AccessKeySecret)
  assert.partialDeepStrictEqual(rotated, { expiresDate: key.expiresDate, overlapEndDate: 'Nov 5, 2026 10:00:00 PM' })
  const changes = async (client: Client) => (await client.post('/v1/tags', { params: { name: `t${names++}` } })).status
  assert.deepEqual([await changes(byService(key)), await changes(byMessage(rotated))], [200, 200])
  clock.advance(2 * hourMs)
  assert.deepEqual([await changes(byService(key)), await changes(byMessage(key))], [401, 401])
  assert.deepEqual([await changes(byService(rotated)), await changes(byMessage(rotated))], [200, 200])
})

test('a second rotation ends the secret before the first one; without an overlap the old secret ends at once', async () => {
  const first = keyOf(await create({}))
  const second = keyOf(await rotate(operator, first.uuid))
  const third = keyOf(await rotate(operator, first.uuid))
  const accepted = async (key: Key) => (await byMessage(key).get('/v1/tags')).status
  assert.deepEqual([await accepted(first), await accepted(second), await accepted(third)], [401, 200, 200])
  const last = keyOf(await rotate(byMessage(third), first.uuid, { overlapHours: 0 }))
  assert.deepEqual([await accepted(second), await accepted(third), await accepted(last)], [401, 401, 200])
})

test('a replaced secret gives no rights beyond its overlap: it rotates no key, and creates none that lasts longer', async (t) => {
  atNoon(t)
  const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const
  const [first, second] = pairs.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }).toString())
  const withSecret = keyOf(await create({}))
  const withPublicKey = keyOf(await create({ publicKey: first }))
  const other = keyOf(await create({ schemes: ['rfc9421'] }))
  const byPrivateKey = new Client(
    server.url,
    { kind: 'message', id: withPublicKey.AccessKeyID, key: pairs[0].privateKey },
    clock,
  )
  const rotations = [
    { client: byMessage(withSecret), key: withSecret, fields: {} },
    { client: byPrivateKey, key: withPublicKey, fields: { publicKey: second } },
  ]
  for (const { client, key, fields } of rotations) {
    assert.equal((await rotate(client, key.uuid, { ...fields, overlapHours: 2 })).status, 200)
    const details = 'calls after Thu, 05 Nov 2026 14:00:00 GMT, when the credential of this call ends'
    assertFailure(await rotate(client, key.uuid, fields), { status: 403, code: 'ID.1002', details })
    assertFailure(await rotate(client, other.uuid), { status: 403, code: 'ID.1002', details })
    assert.equal(keyOf(await create({}, client)).expiresDate, 'Nov 5, 2026 10:00:00 PM')
  }
})

test('the secret of a rotation is shown once', async () => {
  const { uuid } = keyOf(await create({}))
  const headers = { 'idempotency-key': 'rotate-this-key-once' }
  const call = () => operator.put(`/v1/accesskeys/${uuid}/actions`, { rotateAccessKey: {} }, headers)
  assert.ok(keyOf(await call()).AccessKeySecret)
  assert.equal(keyOf(await call()).AccessKeySecret, null)
  assert.equal((await shown(uuid)).AccessKeySecret, null)
})

test('a public key is rotated to another one, a secret to another secret', async () => {
  const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const
  const pem = (index: 0 | 1) => pairs[index].publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const key = keyOf(await create({ publicKey: pem(0) }))
  const invalid = { status: 400, code: 'SYS.1007', details: 'rotateAccessKey.publicKey' }
  assertFailure(await rotate(operator, key.uuid), invalid)
  assertFailure(await rotate(operator, keyOf(await create({})).uuid, { publicKey: pem(1) }), invalid)
  const rotated = keyOf(await rotate(operator, key.uuid, { publicKey: pem(1) }))
  assert.partialDeepStrictEqual(rotated, { publicKey: pem(1), AccessKeySecret: null })
  for (const { privateKey } of pairs) {
    const client = new Client(server.url, { kind: 'message', id: key.AccessKeyID, key: privateKey }, clock)
    assert.equal((await client.get('/v1/tags')).status, 200)
  }
})

test('a key that expires within fourteen days is reported once, unless it never had as long', async (t) => {
  atNoon(t)
  const expiresIn = (days: number) => ({ expiresDate: new Date(noon + days * dayMs).toISOString() })
  const key = keyOf(await create({ ...expiresIn(20), description: 'deployment' }))
  keyOf(await create(expiresIn(13)))
  const disabled = keyOf(await create(expiresIn(20)))
  const disable = { changeAccessKeyState: { stateEvent: 'disable' } }
  await operator.put(`/v1/accesskeys/${disabled.uuid}/actions`, disable)
  const sent: SystemEvent[] = []
  const systemEvents = { record: async (_: unknown, event: SystemEvent) => void sent.push(event) }
  const nodes = [new ExpiryReports({ ...foundation, systemEvents }), new ExpiryReports({ ...foundation, systemEvents })]
  const report = () => Promise.all(nodes.map((node) => node.send()))
  clock.advance(6 * dayMs - 1)
  await report()
  assert.deepEqual(sent, [])
  clock.advance(1)
  await report()
  await report()
  assert.equal(sent.length, 1)
  assert.partialDeepStrictEqual(sent[0], {
    event: 'AccessKeyExpires',
    resource: { type: 'AccessKey', uuid: key.uuid, name: 'deployment' },
    target: key.AccessKeyID,
    reason: { en: 'It expires on Nov 25, 2026 8:00:00 PM; create another key and replace it before' },
  })
})
