import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import { after, test } from 'node:test'
import { type Answer, assertFailure, Client, MovingClock, rawCall, signMessage, TestServer } from '@wharf/testkit'
import { Nonces } from './nonces.ts'

const noon = Date.parse('2026-11-05T12:00:00Z')
const clock = new MovingClock(noon)
const server = await TestServer.start(
  { after },
  {
    clock,
    environment: { WHARF_TRUSTED_PROXIES: '127.0.0.1/32', WHARF_PUBLIC_URL: 'https://ops.example/team/wharf' },
  },
)
const { database } = server.app.foundation
const { accessKeyId: id, accessKeySecret: secret, accountUuid, userUuid } = server.bootstrap
const admin = { id, key: secret as string | KeyObject }

interface Sent {
  method?: string
  /** The target as it is sent. */
  target?: string
  body?: string
  headers?: Record<string, string>
}

interface Signed {
  by?: typeof admin
  method?: string
  path?: string
  query?: string
  body?: string
  nonce?: string
  at?: number
  /** Changes what was signed. */
  edit?: (headers: Record<string, string>) => Record<string, string>
}

const hmac = (base: string): string => createHmac('sha256', secret).update(base).digest('base64')

const relabel = (headers: Record<string, string>, label: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/^sig1/, label)]))

let caller = 0

/** Each call comes from another address, so that failures do not add up. `signed` is what differs from what is sent. */
function send({ method = 'GET', target = '/wharf/v1/tags', body, headers = {} }: Sent, signed: Signed = {}) {
  const [path = '', query = ''] = target.split(/(?=\?)/)
  const message = { method, path, query: query || '?', body, ...signed }
  const own = signMessage(signed.by ?? admin, message, signed.at ?? clock.now(), signed.nonce)
  const source = `10.2.${caller >> 8}.${caller++ & 255}`
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const all = { 'x-forwarded-for': source, ...type, ...(signed.edit?.(own) ?? own), ...headers }
  const { origin } = new URL(server.url)
  return rawCall(origin, { method, path: target, headers: all, ...(body === undefined ? {} : { body }) })
}

const newTag = (name: string): Sent => ({
  method: 'POST',
  target: '/wharf/v1/tags',
  body: JSON.stringify({ params: { name } }),
})
const tagsNamed = async (name: string) =>
  (await database.read.selectFrom('tags').select('uuid').where('name', '=', name).execute()).length

const accepted: Record<string, [Sent, Signed?]> = {
  'a GET': [{}],
  'a GET with a query': [{ target: '/wharf/v1/tags?limit=1&q=name%3Dx' }],
  'an empty query': [{ target: '/wharf/v1/tags?' }],
  'a HEAD': [{ method: 'HEAD' }],
  'the path without the prefix': [{ target: '/v1/tags' }],
  'the path without a prefix that was sent': [{}, { path: '/v1/tags' }],
  'the path with a prefix that a proxy removed': [{ target: '/v1/tags' }, { path: '/wharf/v1/tags' }],
  'the path of the public address': [{ target: '/wharf/v1/tags' }, { path: '/team/wharf/v1/tags' }],
  'a time 300 s ago': [{}, { at: noon - 300_000 }],
  'a time in 300 s': [{}, { at: noon + 300_000 }],
  'a label of any name': [{}, { edit: (headers) => relabel(headers, 'other-label') }],
}
for (const [name, [sent, signed]] of Object.entries(accepted))
  test(`accepts a signature of ${name}`, async () => {
    const answer = await send(sent, signed)
    assert.equal(answer.status, 200, answer.text)
  })

test('accepts a body with its digest, in sha-256, sha-512 or both', async () => {
  const digests = ['sha256', 'sha512'].map((algorithm) => [algorithm.replace('sha', 'sha-'), algorithm] as const)
  for (const chosen of [digests.slice(0, 1), digests.slice(1), digests]) {
    const call = newTag(`digest ${chosen.length} ${chosen[0]?.[0]}`)
    const header = chosen.map(([name, algorithm]) => `${name}=:${hash(algorithm, call.body ?? '', 'base64')}:`)
    const answer = await sendWithDigest(call, header.join(', '))
    assert.equal(answer.status, 200, answer.text)
  }
})

/** The signature covers this digest, whatever the body is. */
function sendWithDigest(call: Sent, digest: string): Promise<Answer> {
  const { pathname: path } = new URL(call.target ?? '', server.url)
  const input =
    `("@method" "@path" "@query" "content-digest");created=${Math.floor(clock.now() / 1000)}` +
    `;keyid="${id}";alg="hmac-sha256";nonce="nonce-${caller}"`
  const base = `"@method": ${call.method}\n"@path": ${path}\n"@query": ?\n"content-digest": ${digest}\n"@signature-params": ${input}`
  const signature = hmac(base)
  const headers = { 'content-digest': digest, 'signature-input': `s=${input}`, signature: `s=:${signature}:` }
  return send(call, { edit: () => headers })
}

const oneText = 'wrong accessKey signature, or access key id unknown or disabled'
const malformed = 'the signature (RFC 9421)'
const replaceInput = (from: string | RegExp, to: string) => (headers: Record<string, string>) => ({
  ...headers,
  'signature-input': headers['signature-input']?.replace(from, to) ?? '',
})
const created = `created must be within 300 seconds of ${new Date(noon).toUTCString()}`

const refused: Record<string, [Sent, Signed, details: string]> = {
  'another method': [{}, { method: 'POST' }, oneText],
  'another path': [{}, { path: '/wharf/v1/hosts' }, `${oneText}; the signature must cover the path /wharf/v1/tags`],
  'another query': [{ target: '/wharf/v1/tags?limit=1' }, { query: '?limit=2' }, oneText],
  'no query where there is one': [{ target: '/wharf/v1/tags?limit=1' }, { query: '?' }, oneText],
  'an unknown key': [{}, { by: { id: 'no-such-key', key: secret } }, oneText],
  'another secret': [{}, { by: { id, key: 'another secret' } }, oneText],
  'another algorithm than the key has': [{}, { by: { id, key: generateKeyPairSync('ed25519').privateKey } }, oneText],
  'a time 301 s ago': [{}, { at: noon - 301_000 }, created],
  'a time in 301 s': [{}, { at: noon + 301_000 }, created],
  'a parameter that was removed': [{}, { edit: replaceInput(/;nonce=.*/, '') }, `${malformed} has no nonce`],
  'no created': [{}, { edit: replaceInput(/created=\d+;/, '') }, `${malformed} has no created`],
  'no keyid': [{}, { edit: replaceInput(/keyid="[^"]*";/, '') }, `${malformed} has no keyid`],
  'no alg': [{}, { edit: replaceInput(/alg="[^"]*";/, '') }, `${malformed} has no alg`],
  'an unknown alg': [{}, { edit: replaceInput('hmac-sha256', 'rsa-v1_5-sha256') }, `${malformed} has an unknown alg`],
  'an empty nonce': [{}, { nonce: '' }, `${malformed} has an invalid nonce`],
  'a long nonce': [{}, { nonce: 'n'.repeat(129) }, `${malformed} has an invalid nonce`],
  'no query at all': [{}, { edit: replaceInput(' "@query"', '') }, `${malformed} does not cover @query`],
  'a body without its digest': [
    newTag('uncovered'),
    { edit: replaceInput(' "content-digest"', '') },
    `${malformed} does not cover content-digest`,
  ],
  'a GET with a body': [{ body: '{}' }, {}, `${malformed} cannot cover the body of a GET`],
  'two labels': [{}, { edit: (headers) => ({ ...headers, signature: 'sig2=:AAAA:' }) }, `${malformed} cannot be read`],
  'no Signature header': [{}, { edit: ({ signature: _, ...rest }) => rest }, `${malformed} cannot be read`],
}
for (const [name, [sent, signed, details]] of Object.entries(refused))
  test(`refuses a signature of ${name}`, async () => {
    assertFailure(await send(sent, signed), { status: 401, code: 'ID.1000', details })
  })

test('a body that is not the signed one changes nothing', async () => {
  const { body = '' } = newTag('signed')
  const digest = `sha-256=:${hash('sha256', body, 'base64')}:`
  const wrong = { status: 401, code: 'ID.1000', details: `${malformed} covers another body` }
  assertFailure(await sendWithDigest(newTag('other'), digest), wrong)
  const right = `sha-512=:${hash('sha512', newTag('other').body ?? '', 'base64')}:`
  // every digest that can be verified must be right
  assertFailure(await sendWithDigest(newTag('other'), `${digest}, ${right}`), wrong)
  const missing = { ...wrong, details: `${malformed} needs a Content-Digest` }
  for (const header of ['md5=:AAAA:', 'nonsense']) assertFailure(await sendWithDigest(newTag('other'), header), missing)
  // clients of the job protocol read no failure of a call that nobody has signed
  const jobUuid = 'a'.repeat(32)
  assertFailure(await sendWithDigest({ ...newTag('other'), headers: { 'x-job-uuid': jobUuid } }, digest), wrong)
  assert.equal(await tagsNamed('other'), 0)
  assert.deepEqual(await database.read.selectFrom('jobs').select('uuid').where('uuid', '=', jobUuid).execute(), [])
})

test('the Authorization header takes precedence', async () => {
  const { authorization = '', date = '' } = server.admin.authorization('GET', '/v1/tags')
  const answer = await send({ headers: { authorization, date } }, { path: '/wrong' })
  assert.equal(answer.status, 200, answer.text)
})

const repeatedNonce = { status: 401, code: 'ID.1000', details: 'was used for another call' }

test('a call that changes something is accepted once, a GET any number of times', async () => {
  const nonce = 'a-nonce-for-changes'
  for (const status of [200, 200]) assert.equal((await send({}, { nonce })).status, status)
  for (const other of ['1', 'n'.repeat(128), 'with spaces'])
    assert.equal((await send({}, { nonce: other })).status, 200)
  assert.equal((await send(newTag('once'), { nonce })).status, 200)
  assertFailure(await send(newTag('once'), { nonce }), repeatedNonce)
  assertFailure(await send(newTag('another'), { nonce }), repeatedNonce)
  assert.deepEqual([await tagsNamed('once'), await tagsNamed('another')], [1, 0])
  // a failed call has changed nothing
  const invalid = { ...newTag(''), body: '{"params":{}}' }
  for (let n = 0; n < 2; n++) assert.equal((await send(invalid, { nonce: 'a-nonce-of-failures' })).status, 400)
  assert.equal((await send(newTag('after a failure'), { nonce: 'a-nonce-of-failures' })).status, 200)
})

test('of concurrent calls with one nonce a single one takes effect', async () => {
  const calls = Array.from({ length: 8 }, () => send(newTag('race'), { nonce: 'a-nonce-of-a-race' }))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, ...Array(7).fill(401)])
})

test('a repeated nonce reads no stored answer, a repeated call with a new one does', async () => {
  for (const header of ['idempotency-key', 'x-job-uuid']) {
    const call = { ...newTag(`stored ${header}`), headers: { [header]: 'b'.repeat(32) } }
    const nonce = `nonce-with-${header}`
    assert.equal((await send(call, { nonce })).status, 200)
    assertFailure(await send(call, { nonce }), repeatedNonce)
    assert.equal((await send(call)).status, 200)
    assert.equal(await tagsNamed(`stored ${header}`), 1)
    await database.transaction((tx) => tx.deleteFrom('idempotencyKeys').execute())
  }
})

test('the recorded failure of a job client uses its nonce', async () => {
  const call = { ...newTag('once'), headers: { 'x-job-uuid': 'c'.repeat(32) } }
  assert.equal((await send(call, { nonce: 'nonce-of-a-failed-job' })).status, 202)
  assertFailure(await send(call, { nonce: 'nonce-of-a-failed-job' }), repeatedNonce)
})

test('a nonce is kept until its signature is invalid', async (t) => {
  t.after(() => clock.advance(noon - clock.now()))
  const nonces = new Nonces(server.app.foundation)
  const rows = async () => (await database.read.selectFrom('usedNonces').select('nonce').execute()).length
  const nonce = 'a-nonce-from-the-future'
  assert.equal((await send(newTag('future'), { nonce, at: noon + 300_000 })).status, 200)
  clock.advance(600_000)
  await nonces.removeOld()
  assertFailure(await send(newTag('again'), { nonce, at: noon + 300_000 }), repeatedNonce)
  clock.advance(61_000)
  await nonces.removeOld()
  assert.equal(await rows(), 0)
  assertFailure(await send(newTag('again'), { nonce, at: noon + 300_000 }), { status: 401, code: 'ID.1000' })
})

test('a key with a public key has no secret, and its signatures are by RFC 9421 alone', async () => {
  const pair = generateKeyPairSync('ed25519')
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const params = { accountUuid, userUuid, publicKey: publicKey.replaceAll('\n', '\r\n') }
  const answer = await server.admin.post('/v1/accesskeys', { params })
  assert.equal(answer.status, 200, answer.text)
  const key = answer.body.inventory as Record<string, string>
  assert.partialDeepStrictEqual(key, { AccessKeySecret: null, publicKey, schemes: ['rfc9421'] })
  const by = { id: key.AccessKeyID ?? '', key: pair.privateKey }
  assert.equal((await send({}, { by })).status, 200)
  assert.equal((await send(newTag('by ed25519'), { by })).status, 200)
  const other = { ...by, key: generateKeyPairSync('ed25519').privateKey }
  assertFailure(await send({}, { by: other }), { status: 401, code: 'ID.1000', details: oneText })
  const guess = new Client(server.url, { kind: 'key', id: by.id, secret: '' }, clock)
  assertFailure(await guess.get('/v1/tags'), { status: 401, code: 'ID.1000', details: oneText })
})

test('the server is restarted: a used nonce stays used, and the last use of the key is known', async (t) => {
  const started = await TestServer.start(t, { clock })
  const { accessKeyId, accessKeySecret } = started.bootstrap
  const body = JSON.stringify({ params: { name: 'before the restart' } })
  const message = { method: 'POST', path: '/wharf/v1/tags', query: '?', body }
  const headers = {
    'content-type': 'application/json',
    ...signMessage({ id: accessKeyId, key: accessKeySecret }, message, noon),
  }
  assert.equal((await started.anonymous.post('/v1/tags', body, headers)).status, 200)
  const { environment } = started
  await started.app.close()
  const restarted = await TestServer.open(environment, { clock })
  t.after(() => restarted.app.close())
  assertFailure(await restarted.anonymous.post('/v1/tags', body, headers), repeatedNonce)
  const key = restarted.app.foundation.database.read.selectFrom('accessKeys').select('lastUsedDate')
  assert.deepEqual(await key.execute(), [{ lastUsedDate: noon }])
})
