import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorCode } from '@wharf/contract'
import { WharfError } from '@wharf/sdk'
import { hintBeforeSignIn, quoted, withoutRequest } from './error-text.ts'

const error = (origin: { requestId?: string; jobUuid?: string }, details = 'disk is full') =>
  new WharfError(
    { code: 'BS.1003', description: 'No space', details, elaboration: null, opaque: null, cause: null },
    { status: 400, explain: async () => undefined, requestId: undefined, jobUuid: undefined, ...origin },
  )

test('the copied text contains code, details, request and job', () => {
  assert.equal(quoted(error({ requestId: 'r1', jobUuid: 'j1' })), 'BS.1003 disk is full\nrequest r1\njob j1')
})

test('missing ids are omitted', () => {
  assert.equal(quoted(error({})), 'BS.1003 disk is full')
  assert.equal(quoted(error({ jobUuid: 'j1' })), 'BS.1003 disk is full\njob j1')
})

test('another error is copied as text', () => {
  assert.equal(quoted(new TypeError('fetch failed')), 'TypeError: fetch failed')
  assert.equal(quoted('plain'), 'plain')
})

test('the request id is removed from the details, which show it separately', () => {
  assert.equal(withoutRequest(error({ requestId: 'r1' }, 'disk is full (request r1)')), 'disk is full')
  assert.equal(withoutRequest(error({ requestId: 'r1' }, 'disk is full (request r2)')), 'disk is full (request r2)')
})

test('the hint about names and passwords is for wrong ones; a wrong second factor has its remedy in the text', () => {
  const words = { 'ID.1000': 'Check the account.', 'ID.1001': 'Sign in again.' }
  const none = { elaboration: null, opaque: null, cause: null }
  const hint = (code: ErrorCode, details: string) =>
    hintBeforeSignIn(new WharfError({ code, description: '', details, ...none }, { status: 401 }), words)
  assert.equal(hint('ID.1000', 'wrong name or password (request r1)'), 'Check the account.')
  assert.equal(hint('ID.1000', 'the second factor is wrong or was used before; enter the next code'), undefined)
  assert.equal(hint('ID.1001', 'the session has ended'), 'Sign in again.')
  assert.equal(hint('SYS.1007', 'wrong value'), undefined)
})
