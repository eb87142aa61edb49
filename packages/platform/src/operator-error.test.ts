import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { reasonOf } from './operator-error.ts'

const thrown = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

const rows: readonly (readonly [what: string, error: unknown, reason: string])[] = [
  ['an error of the system', thrown(() => readFileSync('/nowhere/at/all')), 'no such file or directory'],
  [
    'an unknown host name',
    Object.assign(new Error('getaddrinfo ENOTFOUND x'), { errno: -3008 }),
    'getaddrinfo ENOTFOUND x',
  ],
  ['an error of Wharf', new Error('file is not a database'), 'file is not a database'],
  ['an error without a text', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['something else', {}, 'unknown reason'],
]
for (const [what, error, reason] of rows)
  test(`returns the reason of ${what}`, () => assert.equal(reasonOf(error), reason))
