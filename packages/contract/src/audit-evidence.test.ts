import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AuditRecord, auditDigestDocument, auditHash, canonicalJson, chainStart } from './audit-evidence.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

for (const [value, text] of [
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  // the members of RFC 8785, 3.2.3
  [
    { '€': 'Euro', '\r': 'CR', '\u{1f600}': 'Smiley', 1: 'One', ö: 'o', '\ufb33': 'Dalet' },
    '{"\\r":"CR","1":"One","ö":"o","€":"Euro","😀":"Smiley","\ufb33":"Dalet"}',
  ],
  [{ large: 1e21, small: 0.000001, negative: -0 }, '{"large":1e+21,"negative":0,"small":0.000001}'],
  [{ none: undefined }, '{}'],
  ['a "quoted" text', '"a \\"quoted\\" text"'],
] as const)
  test(`canonical JSON: ${text}`, () => assert.equal(canonicalJson(value), text))

test('the hash of an entry covers the previous hash and every field but itself, whatever their order', () => {
  const record: Partial<AuditRecord> = { uuid: 'a', seq: 1, count: 1, changes: {} }
  const expected = sha256(`${chainStart}{"changes":{},"count":1,"seq":1,"uuid":"a"}`)
  assert.equal(auditHash(chainStart, record, sha256), expected)
  assert.equal(auditHash(chainStart, { changes: {}, hash: expected, count: 1, uuid: 'a', seq: 1 }, sha256), expected)
  assert.notEqual(auditHash(expected, record, sha256), expected)
  assert.notEqual(auditHash(chainStart, { ...record, count: 2 }, sha256), expected)
})

test('the document of a digest is canonical', () => {
  const statement = { firstSeq: 1, lastSeq: 2, count: 2, head: 'h', previousSignature: null, createDate: 'd' }
  assert.equal(
    auditDigestDocument(statement),
    '{"count":2,"createDate":"d","firstSeq":1,"head":"h","lastSeq":2,"previousSignature":null}',
  )
})

test('members that are in order already are written as sorted ones are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      assert.equal(canonicalJson(JSON.parse(text)), text)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
})
