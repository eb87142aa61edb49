import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HmacKey } from './hmac-key.ts'
import { sign, signatureMatches } from './hmac-sha1.ts'

const secret = 'kT8Zq1xVbN4mR7sW2yD5fG9hJ3lP6oQ0uAeIcXzB'
const key = new HmacKey(secret, 'sha1')
const date = 'Thu, 05 Nov 2026 12:00:00 GMT'
const path = '/v1/software-package'

test('signs with HMAC-SHA1 in Base64', () => {
  // printf 'GET\nThu, 05 Nov 2026 12:00:00 GMT\n/v1/software-package' | openssl dgst -sha1 -hmac "$secret" -binary | base64
  assert.equal(sign(key, 'GET', date, path), 'TLaEOsAGtF0Gd1bE9NN8tHE8zf0=')
  assert.equal(signatureMatches(key, 'TLaEOsAGtF0Gd1bE9NN8tHE8zf0=', 'GET', date, path), true)
})

test('accepts the signature over the encoded and over the decoded path', () => {
  const encoded = '/v1/tags/%E6%B5%8B%20a'
  for (const uri of [encoded, '/v1/tags/测 a']) {
    assert.equal(signatureMatches(key, sign(key, 'GET', date, uri), 'GET', date, encoded), true, uri)
  }
  assert.equal(signatureMatches(key, sign(key, 'GET', date, '/v1/tags/a'), 'GET', date, encoded), false)
})

test('a malformed escape leaves the encoded form', () => {
  for (const malformed of ['/v1/%', '/v1/%zz', '/v1/%E6%B5', '/v1/%C0%80']) {
    assert.equal(signatureMatches(key, sign(key, 'GET', date, malformed), 'GET', date, malformed), true)
    assert.equal(signatureMatches(key, sign(key, 'GET', date, '/v1/'), 'GET', date, malformed), false)
  }
})

test('refuses signatures of any other length or spelling', () => {
  const right = sign(key, 'GET', date, path)
  const wrong = ['', 'A', right.slice(0, -1), `${right}=`, right + right, right.toLowerCase(), ` ${right}`]
  // characters that would become the right byte if only their lower half were compared
  wrong.push(String.fromCharCode(right.charCodeAt(0) + 0x100) + right.slice(1), 'x'.repeat(100_000))
  for (const signature of wrong) assert.equal(signatureMatches(key, signature, 'GET', date, path), false)
})

const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE')
const segment = fc.string({ unit: fc.constantFrom(...'abz09-_.~%25é '), minLength: 1, maxLength: 20 })
const paths = fc.array(segment, { maxLength: 4 }).map((parts) => ['/v1', ...parts.map(encodeURIComponent)].join('/'))
const dates = fc.nat({ max: 4e9 }).map((second) => new Date(second * 1000).toUTCString())
const secrets = fc.string({ minLength: 10, maxLength: 40 })

const flip = (text: string, position: number, bit: number): string => {
  const index = position % text.length
  const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
  return text.slice(0, index) + flipped + text.slice(index + 1)
}

test('rejects a call with any flipped bit of method, date, path, secret or signature', () => {
  const check = (own: string, method: string, when: string, uri: string, position: number, bit: number) => {
    const key = new HmacKey(own, 'sha1')
    const signature = sign(key, method, when, uri)
    assert.equal(signatureMatches(key, signature, method, when, uri), true)
    assert.equal(signatureMatches(key, signature, flip(method, position, bit), when, uri), false)
    assert.equal(signatureMatches(key, signature, method, flip(when, position, bit), uri), false)
    assert.equal(signatureMatches(key, signature, method, when, flip(uri, position, bit)), false)
    assert.equal(signatureMatches(new HmacKey(flip(own, position, bit), 'sha1'), signature, method, when, uri), false)
    assert.equal(signatureMatches(key, flip(signature, position, bit), method, when, uri), false)
  }
  fc.assert(fc.property(secrets, methods, dates, paths, fc.nat(), fc.nat(6), check), { numRuns: 1000 })
})

test('refuses every single flipped bit of one call', () => {
  const uri = '/v1/software-package/0123456789abcdef0123456789abcdef'
  const signature = sign(key, 'DELETE', date, uri)
  for (let bit = 0; bit < 7; bit++) {
    for (let at = 0; at < 'DELETE'.length; at++) {
      assert.equal(signatureMatches(key, signature, flip('DELETE', at, bit), date, uri), false)
    }
    for (let at = 0; at < date.length; at++) {
      assert.equal(signatureMatches(key, signature, 'DELETE', flip(date, at, bit), uri), false)
    }
    for (let at = 0; at < uri.length; at++) {
      assert.equal(signatureMatches(key, signature, 'DELETE', date, flip(uri, at, bit)), false)
    }
  }
})

test('a flipped bit is refused for signatures over the decoded path too, unless the path is equivalent', () => {
  const check = (own: string, when: string, uri: string, position: number, bit: number) => {
    const key = new HmacKey(own, 'sha1')
    const signature = sign(key, 'GET', when, decodeURIComponent(uri))
    assert.equal(signatureMatches(key, signature, 'GET', when, uri), true)
    const flipped = flip(uri, position, bit)
    let decoded = flipped
    try {
      decoded = decodeURIComponent(flipped)
    } catch {}
    const isSamePath = [flipped, decoded].includes(decodeURIComponent(uri))
    assert.equal(signatureMatches(key, signature, 'GET', when, flipped), isSamePath)
  }
  fc.assert(fc.property(secrets, dates, paths, fc.nat(), fc.nat(6), check), { numRuns: 1000 })
})
