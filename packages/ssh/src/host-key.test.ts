import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedFingerprint, fingerprintOf, keysOf, knownHostsLine } from './host-key.ts'

// of RFC 4253's kind; the fingerprint is what ssh-keygen -lf shows for this line
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRlnIBpB5xyAAqaCdRsiB8MdzdS/547HiYsrjNfARo0'
const fingerprint = 'SHA256:z64mmej3+HNY6KX6+rtEw02MoYlZPzqYm1Yc8ZLH62E'

test('shows a fingerprint as ssh-keygen does', () => assert.equal(fingerprintOf(key), fingerprint))

for (const given of [fingerprint, fingerprint.slice(7), `${fingerprint}=`])
  test(`takes ${given} for a fingerprint`, () => assert.equal(checkedFingerprint(given), fingerprint))

for (const given of ['', 'SHA256:', fingerprint.slice(0, -1), `${fingerprint}x`, 'MD5:aa:bb', `${fingerprint}\n`])
  test(`refuses ${JSON.stringify(given)} as a fingerprint`, () => {
    assert.throws(() => checkedFingerprint(given), { code: 'SYS.1007', message: /hostKeyFingerprint/ })
  })

test('reads back the line that pins a key, and no other', () => {
  assert.deepEqual(keysOf(knownHostsLine(key)), [key])
  assert.deepEqual(keysOf(`# comment\nother ${key}\n\n${knownHostsLine(`${key} with a comment`)}`), [key])
})
