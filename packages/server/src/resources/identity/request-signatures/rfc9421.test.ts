import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { parseMessageSignature } from '@wharf/contract'
import { signMessage } from '@wharf/testkit'
import fc from 'fast-check'
import { verifyDigest } from '../../../http/rfc9421-headers.ts'
import { isSignedBy } from './rfc9421.ts'
import { ed25519VerificationKey, hmacVerificationKey, type VerificationKey } from './verification-key.ts'

const pair = generateKeyPairSync('ed25519')
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const keys: Record<string, { signer: string | KeyObject; verifier: VerificationKey }> = {
  'hmac-sha256': { signer: 'the secret', verifier: hmacVerificationKey('the secret') },
  ed25519: { signer: pair.privateKey, verifier: ed25519VerificationKey(pem) },
}

interface Call {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
}

/** What the server verifies of a call. */
function isVerified(verifier: VerificationKey, call: Call, headers: Record<string, string>): boolean {
  const signature = parseMessageSignature(headers['signature-input'] ?? '', headers.signature ?? '')
  if (signature === undefined) return false
  try {
    verifyDigest({ headers }, Buffer.from(call.body, 'latin1'))
  } catch {
    return false
  }
  return isSignedBy(verifier, { ...call, otherPaths: () => [], headers, signature })
}

const flip = (text: string, position: number, bit: number): string => {
  const index = position % text.length
  const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit))
  return text.slice(0, index) + flipped + text.slice(index + 1)
}

const words = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 30 })
const call = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: words('abz09-_./%25').map((text) => `/v1/${text}`),
  query: words('abz09=&%+?').map((text) => `?${text}`),
  body: words('{"a": 1}[]'),
})

for (const [name, { signer, verifier }] of Object.entries(keys))
  test(`${name}: a call with any flipped bit of method, path, query, body or signature is refused`, () => {
    const check = (sent: Call, position: number, bit: number): void => {
      const headers = signMessage({ id: 'key', key: signer }, sent, 0)
      assert.ok(isVerified(verifier, sent, headers))
      for (const part of ['method', 'path', 'query', 'body'] as const) {
        const changed = { ...sent, [part]: flip(sent[part], position, bit) }
        assert.ok(!isVerified(verifier, changed, headers), part)
      }
      for (const header of ['content-digest', 'signature-input'])
        assert.ok(!isVerified(verifier, sent, { ...headers, [header]: flip(headers[header] ?? '', position, bit) }))
      // the bits of the signature itself, not of its encoding
      const bytes = Buffer.from(headers.signature?.slice('sig1=:'.length, -1) ?? '', 'base64')
      bytes[position % bytes.length] = (bytes[position % bytes.length] ?? 0) ^ (1 << bit)
      assert.ok(!isVerified(verifier, sent, { ...headers, signature: `sig1=:${bytes.toString('base64')}:` }))
    }
    fc.assert(fc.property(call, fc.nat(), fc.nat({ max: 6 }), check), { numRuns: 60 })
  })
