import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, formOf, type Host, problemsOf } from './edit-form.ts'

const host: Host = {
  name: 'web-1',
  description: 'first',
  driver: 'ssh',
  address: '10.0.0.7',
  sshPort: 22,
  username: 'root',
  hostKeyFingerprint: 'SHA256:x',
}
const form = formOf(host)

test('what stays is not sent', () => {
  assert.deepEqual(changeOf(form, host), {})
  assert.deepEqual(problemsOf(form, host), {})
})

const rows: [change: object, sent: object][] = [
  [{ name: ' web-2 ' }, { name: 'web-2' }],
  [{ description: '' }, { clear: ['description'] }],
  [{ description: 'new' }, { description: 'new' }],
  [
    { address: '10.0.0.8', sshPort: '2222' },
    { address: '10.0.0.8', sshPort: 2222 },
  ],
  [{ hostKeyFingerprint: 'SHA256:y' }, { hostKeyFingerprint: 'SHA256:y' }],
  [{ key: 'own' }, { clear: ['privateKey'] }],
  [{ key: 'given', privateKey: ' -----BEGIN x' }, { privateKey: '-----BEGIN x\n' }],
]
for (const [change, sent] of rows)
  test(`${JSON.stringify(change)} sends ${JSON.stringify(sent)}`, () =>
    assert.deepEqual(changeOf({ ...form, ...change }, host), sent))

const rejected: [change: object, problems: object][] = [
  [{ name: ' ' }, { name: 'required' }],
  [{ address: '' }, { address: 'required' }],
  [{ sshPort: '0' }, { sshPort: 'badPort' }],
  [{ sshPort: '1e2' }, { sshPort: 'badPort' }],
  [{ hostKeyFingerprint: 'MD5:x' }, { hostKeyFingerprint: 'badFingerprint' }],
  [{ key: 'given' }, { privateKey: 'badKey' }],
]
for (const [change, problems] of rejected)
  test(`rejects ${JSON.stringify(change)}`, () => assert.deepEqual(problemsOf({ ...form, ...change }, host), problems))

test('of the machine of a node, only the name and the description change', () => {
  const local: Host = { name: 'this-node', description: null, driver: 'local', address: '127.0.0.1' }
  const changed = { ...formOf(local), name: 'node', description: 'mine', sshPort: 'x', key: 'own' as const }
  assert.deepEqual(problemsOf(changed, local), {})
  assert.deepEqual(changeOf(changed, local), { name: 'node', description: 'mine' })
})
