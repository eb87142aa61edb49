import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTag, logInByAccount, logOut, type Operation, queryTag, removeClusterPlugin } from '@wharf/contract'
import { type CallOptions, readCallOptions } from './call-options.ts'

const uuid = '0123456789abcdef0123456789abcdef'
const holdSeconds = 240

const understood: {
  name: string
  operation?: Operation
  headers: Record<string, string>
  gives: Partial<CallOptions>
}[] = [
  {
    name: 'without headers a call waits as long as configured',
    headers: {},
    gives: { jobUuid: undefined, idempotencyKey: undefined, timeoutSeconds: undefined, holdMs: 240_000 },
  },
  { name: 'respond-async does not wait', headers: { prefer: 'respond-async' }, gives: { holdMs: 0 } },
  { name: 'respond-async in any case', headers: { prefer: 'Respond-Async' }, gives: { holdMs: 0 } },
  { name: 'wait=N', headers: { prefer: 'wait=7' }, gives: { holdMs: 7000, preference: 'wait=7' } },
  {
    name: 'wait longer than the configured maximum',
    headers: { prefer: 'wait=99999' },
    gives: { holdMs: 240_000, preference: 'wait=240' },
  },
  { name: 'wait=0', headers: { prefer: 'wait=0' }, gives: { holdMs: 0 } },
  { name: 'wait="N" with spaces', headers: { prefer: 'wait = "7"' }, gives: { holdMs: 7000 } },
  {
    name: 'asynchronously after N seconds, in either order',
    headers: { prefer: 'respond-async, wait=10' },
    gives: { holdMs: 10_000, preference: 'wait=10' },
  },
  { name: 'wait first', headers: { prefer: 'wait=10, respond-async' }, gives: { holdMs: 10_000 } },
  {
    name: 'a preference that is not understood is ignored',
    headers: { prefer: 'return=minimal, wait=soon, handling=lenient' },
    gives: { holdMs: 240_000, preference: undefined },
  },
  {
    name: 'a client that polls waits 5 s, and its uuid is the idempotency key',
    headers: { 'x-job-uuid': uuid },
    gives: { holdMs: 5000, jobUuid: uuid, idempotencyKey: uuid },
  },
  {
    name: 'a job uuid in capitals is the same uuid',
    headers: { 'x-job-uuid': uuid.toUpperCase(), 'idempotency-key': uuid },
    gives: { jobUuid: uuid, idempotencyKey: uuid },
  },
  {
    name: 'a job uuid with dashes is the same uuid',
    headers: { 'x-job-uuid': '01234567-89AB-cdef-0123-456789abcdef', 'idempotency-key': uuid },
    gives: { jobUuid: uuid, idempotencyKey: uuid },
  },
  {
    name: 'Prefer takes precedence over the 5 s of a client that polls',
    headers: { 'x-job-uuid': uuid, prefer: 'wait=30' },
    gives: { holdMs: 30_000 },
  },
  {
    name: 'an idempotency key alone does not make a polling client',
    headers: { 'idempotency-key': 'order-66/#1' },
    gives: { holdMs: 240_000, jobUuid: undefined, idempotencyKey: 'order-66/#1' },
  },
  {
    name: 'both headers may have the same value',
    headers: { 'x-job-uuid': uuid, 'idempotency-key': uuid },
    gives: { jobUuid: uuid, idempotencyKey: uuid },
  },
  { name: 'a limit in seconds', headers: { 'x-api-timeout': '90' }, gives: { timeoutSeconds: 90 } },
  ...[queryTag, logInByAccount, logOut].map((operation) => ({
    name: `${operation.name} has nothing to repeat and no job, so both headers are ignored there`,
    operation,
    headers: { 'x-job-uuid': 'nonsense', 'idempotency-key': 'two words' },
    gives: { jobUuid: undefined, idempotencyKey: undefined, holdMs: 240_000 },
  })),
]

for (const { name, operation = removeClusterPlugin, headers, gives } of understood)
  test(`reads ${name}`, () => {
    const options = readCallOptions(headers, operation, holdSeconds)
    assert.deepEqual({ ...options, ...gives }, options)
  })

const refused: { headers: Record<string, string>; details: RegExp }[] = [
  { headers: { 'x-job-uuid': 'x' }, details: /X-Job-UUID/ },
  { headers: { 'x-job-uuid': `${uuid}0` }, details: /X-Job-UUID/ },
  { headers: { 'x-job-uuid': '' }, details: /X-Job-UUID/ },
  { headers: { 'idempotency-key': '' }, details: /Idempotency-Key/ },
  { headers: { 'idempotency-key': 'two words' }, details: /Idempotency-Key/ },
  { headers: { 'idempotency-key': 'x'.repeat(256) }, details: /Idempotency-Key/ },
  { headers: { 'idempotency-key': 'x', 'x-job-uuid': uuid }, details: /X-Job-UUID and Idempotency-Key differ/ },
  ...['0', '-1', '1.5', '0x10', '1e3', 'soon', '', '604801', '99999999999'].map((seconds) => ({
    headers: { 'x-api-timeout': seconds },
    details: /X-API-Timeout/,
  })),
]

for (const { headers, details } of refused)
  test(`refuses ${JSON.stringify(headers)}`, () => {
    assert.throws(() => readCallOptions(headers, createTag, holdSeconds), { code: 'SYS.1007', message: details })
  })
