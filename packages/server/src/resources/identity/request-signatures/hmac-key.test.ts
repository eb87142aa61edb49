import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { HmacKey } from './hmac-key.ts'

const algorithms = ['sha1', 'sha256'] as const
type Algorithm = (typeof algorithms)[number]
const expected = (algorithm: Algorithm, secret: string, text: string): string =>
  createHmac(algorithm, secret).update(text).digest('base64')

for (const algorithm of algorithms)
  test(`signs as HMAC with ${algorithm} does, with secrets and texts around the size of a block`, () => {
    for (const secretLength of [0, 1, 40, 63, 64, 65, 200])
      for (const textLength of [0, 1, 54, 55, 56, 63, 64, 65, 4096, 20_000]) {
        const [secret, text] = ['s'.repeat(secretLength), 'x'.repeat(textLength)]
        const signature = new HmacKey(secret, algorithm).sign(text)
        assert.equal(signature, expected(algorithm, secret, text), `${secretLength} ${textLength}`)
      }
  })

test('signs any text, one after the other with the same key', () => {
  const texts = fc.array(fc.string({ unit: anyCharacter }), { minLength: 2, maxLength: 5 })
  const check = (algorithm: Algorithm, secret: string, several: string[]): void => {
    const key = new HmacKey(secret, algorithm)
    for (const text of several) assert.equal(key.sign(text), expected(algorithm, secret, text))
  }
  fc.assert(fc.property(fc.constantFrom(...algorithms), fc.string({ unit: anyCharacter }), texts, check))
})
