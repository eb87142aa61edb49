import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  coveredComponents,
  formatContentDigest,
  formatSignatureInput,
  parseContentDigest,
  parseMessageSignature,
  signatureBase,
} from './message-signatures.ts'

// RFC 9421, appendix B.2: the message that the vectors sign

const body = '{"hello": "world"}'
const request: Record<string, string> = {
  '@method': 'POST',
  '@path': '/foo',
  '@query': '?param=Value&Pet=dog',
  '@authority': 'example.com',
  date: 'Tue, 20 Apr 2021 02:07:55 GMT',
  'content-type': 'application/json',
  'content-digest':
    'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
  'content-length': '18',
}
const valueFor = (component: string): string | undefined => request[component]
const baseOf = (components: string[], input: string): string => signatureBase(components, input, valueFor) ?? ''

test('appendix B.2: the digest of the body', () => {
  const digest = hash('sha512', body, 'base64')
  assert.equal(formatContentDigest({ algorithm: 'sha-512', digest }), request['content-digest'])
  assert.deepEqual(parseContentDigest(request['content-digest'] ?? ''), [{ algorithm: 'sha-512', digest }])
})

test('appendix B.2.5: a request signed with hmac-sha256', () => {
  const secret = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=='
  const components = ['date', '@authority', 'content-type']
  const input = formatSignatureInput(components, { created: 1618884473, keyid: 'test-shared-secret' })
  assert.equal(input, '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"')
  const base = baseOf(components, input)
  assert.equal(
    base,
    [
      '"date": Tue, 20 Apr 2021 02:07:55 GMT',
      '"@authority": example.com',
      '"content-type": application/json',
      '"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    ].join('\n'),
  )
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(base).digest('base64')
  assert.equal(signature, 'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=')
  assert.deepEqual(parseMessageSignature(`sig-b25=${input}`, `sig-b25=:${signature}:`), {
    components,
    input,
    signature,
    created: 1618884473,
    keyid: 'test-shared-secret',
  })
})

test('appendix B.2.6: a request signed with ed25519, with the key of B.1.4', () => {
  const pem = (kind: string, text: string): string =>
    `-----BEGIN ${kind} KEY-----\n${text}\n-----END ${kind} KEY-----\n`
  const privateKey = createPrivateKey(
    pem('PRIVATE', 'MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF'),
  )
  const publicKey = createPublicKey(pem('PUBLIC', 'MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs='))
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
  const sent =
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")' +
    ';created=1618884473;keyid="test-key-ed25519"'
  const parsed = parseMessageSignature(sent, `sig-b26=:${signature}:`)
  assert.ok(parsed)
  const base = Buffer.from(baseOf([...parsed.components], parsed.input))
  assert.ok(verify(null, base, publicKey, Buffer.from(signature, 'base64')))
  assert.equal(sign(null, base, privateKey).toString('base64'), signature)
})

test('what is written is read, with any key id and nonce', () => {
  const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
  fc.assert(
    fc.property(printable, printable, fc.boolean(), fc.nat(), (keyid, nonce, hasBody, created) => {
      const components = [...coveredComponents(hasBody)]
      const parameters = { created, keyid, alg: 'hmac-sha256', nonce }
      const input = formatSignatureInput(components, parameters)
      const expected = { ...parameters, components, input, signature: 'AAAA' }
      assert.deepEqual(parseMessageSignature(`wharf=${input}`, 'wharf=:AAAA:'), expected)
      // spaces that Structured Fields allow are not signed
      const spaced = `wharf=${input.replace('(', '(  ').replace(';created', ';  created')} `
      assert.deepEqual(parseMessageSignature(spaced, ' wharf=:AAAA: '), expected)
    }),
  )
})

const member = '("@method");created=1;keyid="a"'
const unreadable: Record<string, [input: string, signature: string]> = {
  'no label': [member, 's=:AAAA:'],
  'another label': [`s=${member}`, 't=:AAAA:'],
  'two signatures': [`s=${member}, t=${member}`, 's=:AAAA:, t=:AAAA:'],
  'an empty signature': [`s=${member}`, 's=::'],
  'a signature that is not Base64': [`s=${member}`, 's=:A-A_:'],
  'a signature without colons': [`s=${member}`, 's=AAAA'],
  'a component with a parameter': ['s=("@method";req);created=1', 's=:AAAA:'],
  'a component without quotes': ['s=(@method);created=1', 's=:AAAA:'],
  'a component twice': ['s=("@method" "@method");created=1', 's=:AAAA:'],
  'a parameter twice': [`s=${member};created=2`, 's=:AAAA:'],
  'a time in quotes': ['s=("@method");created="1"', 's=:AAAA:'],
  'a fraction of a second': ['s=("@method");created=1.5', 's=:AAAA:'],
  'a key id without quotes': ['s=("@method");keyid=1', 's=:AAAA:'],
  'a quote that is not closed': ['s=("@method");keyid="a', 's=:AAAA:'],
  'text after the end': [`s=${member} x`, 's=:AAAA:'],
  nothing: ['', ''],
}
for (const [name, [input, signature]] of Object.entries(unreadable))
  test(`does not read ${name}`, () => assert.equal(parseMessageSignature(input, signature), undefined))

test('a missing component leaves nothing to sign', () => {
  assert.equal(signatureBase(['@method', 'x-missing'], '()', valueFor), undefined)
})

test('digests of other algorithms are ignored, an unreadable header is not', () => {
  assert.deepEqual(parseContentDigest('md5=:AA==:, sha-256=:AAAA: ,sha-512=:BBBB:'), [
    { algorithm: 'sha-256', digest: 'AAAA' },
    { algorithm: 'sha-512', digest: 'BBBB' },
  ])
  assert.deepEqual(parseContentDigest('md5=:AA==:'), [])
  for (const header of ['', 'sha-256', 'sha-256=AAAA', 'sha-256=:AAAA:,', 'sha-256=:AA AA:'])
    assert.equal(parseContentDigest(header), undefined, header)
})
