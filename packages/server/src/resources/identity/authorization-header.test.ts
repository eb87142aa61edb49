import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAuthorization } from './authorization-header.ts'

test('reads the Authorization header', () => {
  const schemes = ['service', 'zstack']
  const session = { kind: 'session', uuid: '0123456789abcdef0123456789abcdef' }
  const key = { kind: 'key', id: 'AKID0123456789', signature: 'abc+/0=' }
  const rows = [
    [undefined, { kind: 'none' }],
    ['', { kind: 'none' }],
    [' \t ', { kind: 'none' }],
    ['OAuth 0123456789abcdef0123456789abcdef', session],
    ['  oauth \t 0123456789abcdef0123456789abcdef ', session],
    ['OAuth 01234567-89AB-CDEF-0123-456789abcdef', session],
    ['OAuth null', { kind: 'session', uuid: 'null' }],
    ['Service AKID0123456789:abc+/0=', key],
    ['SERVICE   AKID0123456789:abc+/0= ', key],
    ['zstack AKID0123456789 : abc+/0=', key],
    ['Other AKID0123456789:abc+/0=', { kind: 'unreadable' }],
    ['OAuth', { kind: 'unreadable' }],
    ['OAuth one two', { kind: 'unreadable' }],
    ['Service', { kind: 'unreadable' }],
    ['Service AKID0123456789', { kind: 'unreadable' }],
    ['Service :abc', { kind: 'unreadable' }],
    ['Service AKID0123456789:', { kind: 'unreadable' }],
    ['Service AKID0123456789:a b', { kind: 'unreadable' }],
    ['ServiceAKID0123456789:abc', { kind: 'unreadable' }],
    ['Basic dXNlcjpwYXNz', { kind: 'unreadable' }],
  ] as const
  for (const [header, expected] of rows) assert.deepEqual(parseAuthorization(header, schemes), expected, String(header))
  assert.deepEqual(parseAuthorization('Service AKID0123456789:abc', []), { kind: 'unreadable' })
})

test('reads any header without throwing', () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    fc.string().map((rest) => `Service ${rest}`),
  )
  fc.assert(fc.property(header, (text) => assert.ok(parseAuthorization(text, ['service']).kind)))
})
