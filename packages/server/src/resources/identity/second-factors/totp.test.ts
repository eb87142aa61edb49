import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, codeAt, stepOf } from './totp.ts'

/** Appendix B of RFC 6238, SHA-1; six digits are the last six of its eight. */
const vectors: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]
const secret = Buffer.from('12345678901234567890')

test('the codes are those of RFC 6238', () => {
  for (const [seconds, code] of vectors) assert.equal(codeAt(secret, Math.floor(seconds / 30)), code.slice(2))
})

test('a code is accepted one step early and one step late', () => {
  const step = 41_152_263
  const offsets = [-2, -1, 0, 1, 2].map((offset) =>
    stepOf(secret, codeAt(secret, step + offset), step * 30_000 + 17_000),
  )
  assert.deepEqual(offsets, [undefined, step - 1, step, step + 1, undefined])
})

test('only six digits are a code', () => {
  for (const text of ['', '12345', '1234567', '12345a', '１２３４５６', '-12345'])
    assert.equal(stepOf(secret, text, 59_000), undefined, text)
})

test('secrets are shown in Base32, as RFC 4648 has it', () => {
  const examples = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, expected] of Object.entries(examples)) assert.equal(base32(Buffer.from(text)), expected)
})
