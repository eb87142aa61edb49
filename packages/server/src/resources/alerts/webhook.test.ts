import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@wharf/platform/api-error.ts'
import fc from 'fast-check'
import { exampleAlert } from './example-alert.ts'
import { readWebhook } from './webhook.ts'

const body = (alert: object) => ({ version: '4', alerts: [{ ...exampleAlert, ...alert }] })

test('reads the webhook of Alertmanager, and ignores unknown fields', () => {
  const [alert] = readWebhook({ ...body({ novelty: {} }), groupKey: '{}:{}', truncatedAlerts: 0, receiver: 'wharf' })
  assert.deepEqual(alert, {
    status: 'resolved',
    labels: exampleAlert.labels,
    annotations: exampleAlert.annotations,
    startsAt: Date.UTC(2026, 10, 5, 1, 2, 3),
    endsAt: Date.UTC(2026, 10, 5, 1, 14, 33),
    fingerprint: '0123456789abcdef',
    generatorURL: 'http://prometheus.example:9090/graph',
  })
})

const times: { name: string; written: string; ms: number }[] = [
  { name: 'with nanoseconds', written: '2026-11-05T01:02:03.123456789Z', ms: Date.UTC(2026, 10, 5, 1, 2, 3, 123) },
  { name: 'with an offset', written: '2026-11-05T09:02:03+08:00', ms: Date.UTC(2026, 10, 5, 1, 2, 3) },
  { name: 'in small letters', written: '2026-11-05t01:02:03z', ms: Date.UTC(2026, 10, 5, 1, 2, 3) },
  { name: 'of the epoch', written: '1970-01-01T00:00:00Z', ms: 0 },
]
for (const { name, written, ms } of times) {
  test(`reads a time ${name}`, () => assert.equal(readWebhook(body({ startsAt: written }))[0]?.startsAt, ms))
}

for (const endsAt of ['0001-01-01T00:00:00Z', null, undefined]) {
  test(`an end of ${endsAt} is unset`, () => assert.equal(readWebhook(body({ endsAt }))[0]?.endsAt, null))
}

const refused: { name: string; sent: unknown; why: RegExp }[] = [
  { name: 'nothing', sent: undefined, why: /the body must be a JSON object/ },
  { name: 'a list', sent: [], why: /the body must be a JSON object/ },
  { name: 'another version', sent: { version: '3', alerts: [] }, why: /version must be "4"/ },
  { name: 'a version that is a number', sent: { version: 4, alerts: [] }, why: /version must be "4"/ },
  { name: 'no alerts', sent: { version: '4' }, why: /alerts must be a list/ },
  {
    name: 'an alert that is not an object',
    sent: { version: '4', alerts: [null] },
    why: /alerts\[0\] must be a JSON object/,
  },
  { name: 'another status', sent: body({ status: 'pending' }), why: /alerts\[0\]\.status must be firing or resolved/ },
  { name: 'no labels', sent: body({ labels: undefined }), why: /alerts\[0\]\.labels must be a JSON object/ },
  {
    name: 'a label that is a number',
    sent: body({ labels: { a: 1 } }),
    why: /alerts\[0\]\.labels must contain only/,
  },
  { name: 'annotations in a list', sent: body({ annotations: [] }), why: /alerts\[0\]\.annotations must be a JSON/ },
  { name: 'no start', sent: body({ startsAt: undefined }), why: /alerts\[0\]\.startsAt must be a time such as/ },
  { name: 'an unset start', sent: body({ startsAt: '0001-01-01T00:00:00Z' }), why: /startsAt must be/ },
  { name: 'an invalid day', sent: body({ startsAt: '2026-02-30T00:00:00Z' }), why: /startsAt must be/ },
  { name: 'a time without a zone', sent: body({ startsAt: '2026-11-05T01:02:03' }), why: /startsAt must be/ },
  { name: 'an invalid end', sent: body({ endsAt: 'later' }), why: /alerts\[0\]\.endsAt must be a time/ },
  { name: 'no fingerprint', sent: body({ fingerprint: '' }), why: /alerts\[0\]\.fingerprint must be 1 to 255/ },
  { name: 'a long fingerprint', sent: body({ fingerprint: 'x'.repeat(256) }), why: /fingerprint must be 1 to 255/ },
]
for (const { name, sent, why } of refused) {
  test(`refuses ${name}`, () => {
    assert.throws(
      () => readWebhook(sent),
      (error) => error instanceof ApiError && error.code === 'SYS.1007' && why.test(error.message),
    )
  })
}

test('any body is accepted, or refused with a reason', () => {
  const alert = fc.record(
    {
      status: fc.constantFrom('firing', 'resolved', 'other'),
      labels: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
      annotations: fc.jsonValue(),
      startsAt: fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.string(),
      ),
      endsAt: fc.oneof(fc.constant('0001-01-01T00:00:00Z'), fc.jsonValue()),
      fingerprint: fc.oneof(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  const sent = fc.oneof(fc.record({ version: fc.constant('4'), alerts: fc.array(alert) }), fc.jsonValue())
  fc.assert(
    fc.property(sent, (value) => {
      try {
        for (const { startsAt } of readWebhook(value)) assert.ok(startsAt >= 0)
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 'SYS.1007', String(error))
      }
    }),
  )
})
