import { type ErrorCode, ingestionPath, type Operation } from '@wharf/contract'
import { alertmanagerBody } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'
import type { Fields, Sent } from './draft.ts'
import { jsonType } from './draft.ts'
import type { Expected } from './response-fault.ts'
import { anyText } from './texts.ts'

/** Two addresses take calls that are not operations of the contract: alerts as others send them, and slices of uploads. */

export interface UnlistedCase {
  readonly sent: Sent
  readonly expected: Expected
  readonly rule: string
}

const refused = (names: string, status = 400, code: ErrorCode = 'SYS.1007'): Expected => ({
  kind: 'refused',
  statuses: [status],
  code,
  names,
})
const valid: Expected = { kind: 'valid', allowedErrors: [] }

const alertOf = (random: SeededRandom): Fields =>
  alertmanagerBody({
    name: anyText(random, 40),
    status: random.pick(['firing', 'resolved']),
    labels: { severity: anyText(random, 20) },
  }).alerts[0] as unknown as Fields

const brokenAlerts: readonly [names: string, change: Fields][] = [
  ['status', { status: 'nonsense' }],
  ['labels', { labels: 'x' }],
  ['labels', { labels: { alertname: 5 } }],
  ['annotations', { annotations: ['x'] }],
  ['startsAt', { startsAt: 'yesterday' }],
  ['startsAt', { startsAt: undefined }],
  ['endsAt', { endsAt: 5 }],
  ['fingerprint', { fingerprint: '' }],
  ['fingerprint', { fingerprint: 'x'.repeat(256) }],
  ['fingerprint', { fingerprint: '码' }],
]
const brokenBodies: readonly [names: string, body: string][] = [
  ['version', '{"alerts":[]}'],
  ['version', '{"version":4,"alerts":[]}'],
  ['alerts', '{"version":"4"}'],
  ['alerts', '{"version":"4","alerts":{}}'],
  ['alerts[0]', '{"version":"4","alerts":[null]}'],
  ['JSON', '{"version":"4"'],
  ['JSON object', '[]'],
]

/** Alerts for this platform, as Alertmanager sends them or not quite. */
export function alertCase(
  random: SeededRandom,
  { uuid, token }: { uuid: string; token: string },
  mustSucceed: boolean,
): UnlistedCase {
  const alert = alertOf(random)
  const call = (body: string, more: { uuid?: string; token?: string } = {}): Sent => ({
    method: 'POST',
    target: ingestionPath.replace('{uuid}', more.uuid ?? uuid),
    headers: { 'content-type': jsonType, authorization: `Bearer ${more.token ?? token}` },
    body: Buffer.from(body),
    as: 'nobody',
  })
  const body = (...alerts: Fields[]): string => JSON.stringify({ ...alertmanagerBody(), alerts })
  if (mustSucceed || random.happens(0.5)) return { sent: call(body(alert)), expected: valid, rule: 'valid' }
  if (random.happens(0.1))
    return {
      sent: call(body(alert), { token: random.hex(40) }),
      expected: refused('', 401, 'ID.1000'),
      rule: 'another token',
    }
  const [names, change] = random.pick(brokenAlerts)
  if (random.happens(0.6))
    return { sent: call(body({ ...alert, ...change })), expected: refused(names), rule: `alert: ${names}` }
  const [what, text] = random.pick(brokenBodies)
  return { sent: call(text), expected: refused(what), rule: `alerts: ${what}` }
}

const tus = { 'tus-resumable': '1.0.0' }
const slice = { ...tus, 'content-type': 'application/offset+octet-stream' }

/** A call at the address of an upload. It may have ended meanwhile, or have another offset. */
export function sliceCase(random: SeededRandom, address: string): { sent: Sent; statuses: readonly number[] } {
  const { pathname, search } = new URL(address)
  const base = { target: pathname + search, as: 'nobody' as const }
  const bytes = Buffer.alloc(random.pick([0, 1, 512, 1024, 2048]))
  const offset = random.pick([0, 0, 0, 512, 1024, 2048])
  const patch = (headers: Record<string, string>, body = bytes): Sent => ({ ...base, method: 'PATCH', headers, body })
  const at = { 'upload-offset': String(offset) }
  const gone = [404, 410]
  return random.pick<() => { sent: Sent; statuses: readonly number[] }>([
    () => ({ sent: patch({ ...slice, ...at }), statuses: [204, 400, 409, 413, 423, 460, ...gone] }),
    () => ({ sent: patch({ ...slice, ...at }), statuses: [204, 400, 409, 413, 423, 460, ...gone] }),
    () => ({
      sent: patch({ ...slice, ...at, 'upload-length': '2048' }),
      statuses: [204, 400, 409, 413, 423, 460, ...gone],
    }),
    () => ({
      sent: patch({ ...slice, ...at, 'upload-checksum': 'sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }),
      statuses: [400, 409, 413, 423, 460, ...gone],
    }),
    () => ({
      sent: patch({ ...slice, 'upload-offset': random.pick(['-1', 'x', '', '1.5', '9'.repeat(30)]) }),
      statuses: [400, ...gone],
    }),
    () => ({
      sent: patch({ ...tus, ...at, 'content-type': 'text/plain' }, Buffer.alloc(1)),
      statuses: [400, 415, ...gone],
    }),
    () => ({ sent: patch({ ...at, 'content-type': slice['content-type'] }), statuses: [412] }),
    () => ({ sent: { ...base, method: 'HEAD', headers: tus, body: undefined }, statuses: [200, ...gone] }),
    () => ({
      sent: { ...base, target: `${pathname}?signature=x`, method: 'HEAD', headers: tus, body: undefined },
      statuses: [404],
    }),
    () => ({ sent: { ...base, method: 'DELETE', headers: tus, body: undefined }, statuses: [204, 409, 423, ...gone] }),
  ])()
}

/** As an operation, so that its answers can be judged like those of any other. */
export const ingestionOperation = {
  name: 'SendAlerts',
  method: 'POST',
  path: ingestionPath,
  mode: 'call',
  fields: {},
  answer: {},
  errors: ['SYS.1003'],
  repeatable: false,
} as unknown as Operation
