import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostPath } from './host-path.ts'

for (const path of ['/a', '/a b/-c', "/it's", '/a/..b', '/.hidden', '/中/文'])
  test(`accepts ${path}`, () => assert.equal(hostPath(path), path))

for (const path of [
  '',
  '/',
  '.',
  'a',
  '-a',
  '~',
  './a',
  '/a/',
  '//a',
  '/a//b',
  '/a/.',
  '/..',
  '/a/../b',
  '/a\0b',
  `/${'x'.repeat(4096)}`,
])
  test(`refuses ${JSON.stringify(path.slice(0, 20))}`, () => assert.throws(() => hostPath(path), { code: 'SYS.1007' }))
