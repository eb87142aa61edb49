import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { curlLine, isScheme, isStale, signatureOf, signRequest, textToSign } from './signing.ts'

const date = 'Thu, 05 Nov 2026 01:02:03 GMT'
const server = 'http://127.0.0.1/wharf'
const nonce = '0123456789abcdef'

test('the text to sign has method, date and path without the query', () => {
  assert.equal(textToSign({ method: 'GET', path: '/v1/hosts?limit=10&q=a?b', date }), `GET\n${date}\n/v1/hosts`)
})

test('the signature is an HMAC in Base64, for any text and secret', async () => {
  const texts = fc.string({ unit: 'grapheme' })
  const hashes = fc.constantFrom(['SHA-1', 'sha1'] as const, ['SHA-256', 'sha256'] as const)
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.string({ unit: 'grapheme', minLength: 1 }),
      hashes,
      async (text, secret, [name, hash]) => {
        assert.equal(await signatureOf(text, secret, name), createHmac(hash, secret).update(text).digest('base64'))
      },
    ),
  )
})

test('by RFC 9421 the path with its prefix, the query and the digest of the body are signed', async () => {
  const key = { id: 'key-id', secret: 'the secret', scheme: 'rfc9421', word: '' } as const
  const sent = { method: 'POST', path: '/v1/tags?a=b c', date, body: '{"params":{}}', nonce }
  const { text = '', signature, headers = [] } = await signRequest(server, sent, key)
  const digest = `sha-256=:${createHash('sha256').update(sent.body).digest('base64')}:`
  const input =
    '("@method" "@path" "@query" "content-digest");created=1793840523;keyid="key-id";alg="hmac-sha256"' +
    `;nonce="${nonce}"`
  const lines = ['"@method": POST', '"@path": /wharf/v1/tags', '"@query": ?a=b%20c', `"content-digest": ${digest}`]
  assert.equal(text, [...lines, `"@signature-params": ${input}`].join('\n'))
  assert.equal(signature, createHmac('sha256', key.secret).update(text).digest('base64'))
  assert.deepEqual(headers, [
    ['Content-Digest', digest],
    ['Signature-Input', `wharf=${input}`],
    ['Signature', `wharf=:${signature}:`],
  ])
  const get = await signRequest(server, { ...sent, method: 'GET', path: '/v1/tags' }, { ...key, secret: '' })
  assert.deepEqual(Object.keys(get), ['text'])
  assert.match(get.text ?? '', /^"@method": GET\n"@path": \/wharf\/v1\/tags\n"@query": \?\n"@signature-params": /)
})

test('a private key in PEM signs by Ed25519, also without its line breaks; another one signs nothing', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const request = { method: 'GET', path: '/v1/tags', date, body: '', nonce }
  const sign = (secret: string) => signRequest(server, request, { id: 'key-id', secret, scheme: 'rfc9421', word: '' })
  for (const secret of [pem, pem.replaceAll('\n', '')]) {
    const { text = '', signature = '' } = await sign(secret)
    assert.match(text, /;alg="ed25519";/)
    assert.ok(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')))
  }
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  assert.deepEqual(Object.keys(await sign(String(other))), ['text'])
})

test('the older scheme signs what the Authorization header shows', async () => {
  const key = { id: 'key-id', secret: 'the secret', scheme: 'service', word: 'Service' } as const
  const request = { method: 'GET', path: '/v1/hosts?limit=1', date, body: '', nonce }
  const { signature, headers } = await signRequest(server, request, key)
  assert.deepEqual(headers, [
    ['Date', date],
    ['Authorization', `Service key-id:${signature}`],
  ])
})

test('the curl command receives every typed character unchanged', () => {
  const typed = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(typed, typed, (path, body) => {
      const request = { method: 'POST', path: `/v1/${path}`, body: `{${body}` }
      const line = curlLine('http://127.0.0.1/', request, [
        ['Date', date],
        ['Authorization', 'Service a:b'],
      ])
      const output = execFileSync('sh', ['-c', line.replace('curl', `printf '%s\\0'`)], { encoding: 'utf8' })
      assert.deepEqual(output.split('\0').slice(0, -1), [
        '-X',
        'POST',
        `http://127.0.0.1/v1/${path}`,
        '-H',
        `Date: ${date}`,
        '-H',
        'Authorization: Service a:b',
        '-H',
        'Content-Type: application/json',
        '-d',
        `{${body}`,
      ])
    }),
    { numRuns: 40 },
  )
})

test('only POST and PUT have a body', () => {
  const line = curlLine('http://x', { method: 'GET', path: '/v1/hosts', body: '{}' }, [])
  assert.ok(!line.includes('-d'))
})

test('a date is valid for fifteen minutes before and after, and for five by RFC 9421', () => {
  const at = Date.parse(date)
  for (const [scheme, limit] of [
    ['service', 15],
    ['rfc9421', 5],
  ] as const) {
    for (const minutes of [0, limit, -limit]) assert.equal(isStale(date, at + minutes * 60_000, scheme), false)
    for (const minutes of [limit + 1, -limit - 1]) assert.equal(isStale(date, at + minutes * 60_000, scheme), true)
    assert.ok(isStale('yesterday', at, scheme))
  }
})

test('the URL of the command has one slash after the server', () => {
  for (const address of ['https://x.example', 'https://x.example/'])
    assert.ok(
      curlLine(address, { method: 'GET', path: '/v1/hosts', body: '' }, []).includes(`'https://x.example/v1/hosts'`),
    )
})

for (const scheme of ['Service', 'Custom', 'a-1']) test(`${scheme} is a scheme`, () => assert.ok(isScheme(scheme)))
for (const scheme of ['', 'a b', 'a:b', 'ü']) test(`"${scheme}" is not a scheme`, () => assert.ok(!isScheme(scheme)))
