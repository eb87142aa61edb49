import assert from 'node:assert/strict'
import type { Answer } from './client.ts'

interface Expected {
  status: number
  code: string
  /** Somewhere in the details. */
  details?: string | RegExp
}

/** Exactly a failure: two keys, six fields, the request id at the end. */
export function assertFailure(answer: Answer, { status, code, details = '' }: Expected): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
  assert.deepEqual(Object.keys(answer.body), ['success', 'error'])
  assert.equal(answer.body.success, false)
  const error = answer.body.error as unknown as Record<string, unknown>
  assert.deepEqual(Object.keys(error), ['code', 'description', 'details', 'elaboration', 'opaque', 'cause'])
  assert.equal(error.code, code, answer.text)
  assert.equal(error.elaboration, null)
  assert.equal(error.opaque, null)
  const actual = String(error.details)
  assert.ok(actual.endsWith(` (request ${answer.headers.get('x-request-id')})`), actual)
  if (typeof details === 'string') assert.ok(actual.includes(details), `${actual} does not contain ${details}`)
  else assert.match(actual, details)
}
