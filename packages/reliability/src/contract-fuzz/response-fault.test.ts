import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTag } from '@wharf/contract'
import { type Expected, faultOf } from './response-fault.ts'
import type { Received } from './sender.ts'

const requestId = 'a'.repeat(32)
const times = { createDate: 'Nov 5, 2026 1:02:03 AM', lastOpDate: 'Nov 5, 2026 1:02:03 AM' }
const tag = { uuid: 'b'.repeat(32), name: 'x', color: null, ...times }
const made = { inventory: tag, success: true, error: null }
const failure = (code: string, details = `params.name is required (request ${requestId})`, more: object = {}) => ({
  success: false,
  error: { code, description: 'x', details, elaboration: null, opaque: null, cause: null, ...more },
})
const headers = { 'x-request-id': requestId, 'content-type': 'application/json;charset=UTF-8' }
const received = (status: number, body: unknown, more: object = {}): Received => ({
  status,
  headers: { ...headers, ...more },
  text: JSON.stringify(body),
})

const valid: Expected = { kind: 'valid', allowedErrors: [] }
const refused: Expected = { kind: 'refused', statuses: [400], code: 'SYS.1007', names: 'name' }

const rows: [what: string, expected: Expected, answer: Received, fault: RegExp | undefined][] = [
  ['a record', valid, received(200, made), undefined],
  ['a refusal', refused, received(400, failure('SYS.1007')), undefined],
  ['something undeclared', valid, received(200, { ...made, nonsense: 1 }), /not as declared/],
  ['a record with a secret', valid, received(200, { ...made, inventory: { ...tag, secret: 'x' } }), /not as declared/],
  [
    'a record without its name',
    valid,
    received(200, { ...made, inventory: { ...tag, name: null } }),
    /not as declared/,
  ],
  ['an undeclared status', valid, received(201, made), /201 is not declared/],
  ['an undeclared job', valid, received(202, { location: 'x', success: true, error: null }), /not declared/],
  ['no request id', valid, received(200, made, { 'x-request-id': undefined }), /no request id/],
  ['another type', valid, received(200, made, { 'content-type': 'text/html' }), /its type/],
  ['an internal error', valid, received(500, failure('SYS.1000')), /internal error/],
  ['a code without its status', valid, received(404, failure('SYS.1002')), /does not go with/],
  ['a code that is not declared', valid, received(502, failure('HOST.1003')), /does not declare HOST\.1003/],
  ['a code of no catalogue', valid, received(400, failure('X.1')), /not a failure of the catalogue/],
  [
    'a failure with more in it',
    valid,
    received(409, failure('SYS.1002', undefined, { stack: 'x' })),
    /not a failure of/,
  ],
  ['details without the request id', valid, received(409, failure('SYS.1002', 'x')), /request id/],
  ['details from inside', valid, received(409, failure('SYS.1002', `at x.ts:5 (request ${requestId})`)), /internals/],
  ['a refusal of what is valid', valid, received(400, failure('SYS.1007')), /valid was refused/],
  ['what is invalid accepted', refused, received(200, made), /invalid was accepted/],
  ['another refusal', refused, received(409, failure('SYS.1002')), /should be 400/],
  [
    'a refusal that names nothing',
    refused,
    received(400, failure('SYS.1007', `no (request ${requestId})`)),
    /name name/,
  ],
]

for (const [what, expected, answer, fault] of rows)
  test(`${fault ? 'reports' : 'accepts'} ${what}`, () => {
    const found = faultOf({
      operation: createTag,
      expected,
      received: answer,
      jobOperation: undefined,
      isPolling: false,
    })
    if (fault) assert.match(found ?? '', fault)
    else assert.equal(found, undefined)
  })
