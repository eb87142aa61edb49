import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostConnection, sshFailure } from './failure.ts'
import { fingerprintOf, pinnedName } from './host-key.ts'

const target = { address: '10.0.0.1', port: 22, username: 'root' }
const pinned = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHRlnIBpB5xyAAqaCdRsiB8MdzdS/547HiYsrjNfARo0'
const offered = 'SHA256:JrQm1mcfEHo0rGPRpHzEtr0dKzZRzyJjCeg0Rk1B8Sk'

const changed = `@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
The fingerprint for the ED25519 key sent by the remote host is
${offered}.
Host key for ${pinnedName} has changed and you have requested strict checking.
Host key verification failed.`

const rows = [
  { stderr: changed, code: 'HOST.1004', message: [offered, fingerprintOf(pinned), 'host 10.0.0.1'] },
  {
    stderr: `No RSA host key is known for ${pinnedName} and you have requested strict checking.\nHost key verification failed.`,
    code: 'HOST.1004',
    message: [fingerprintOf(pinned), 'another type'],
  },
  {
    stderr:
      'No ED25519 host key is known for jump and you have requested strict checking.\nHost key verification failed.\nConnection closed by UNKNOWN port 65535',
    code: 'HOST.1003',
    message: ['known for jump'],
  },
  { stderr: 'root@10.0.0.1: Permission denied (publickey).', code: 'HOST.1005', message: ['root', '(publickey)'] },
  {
    stderr:
      'Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures\nDisconnected from 10.0.0.1 port 22',
    code: 'HOST.1005',
    message: ['Too many'],
  },
  {
    stderr: 'me@jump: Permission denied (publickey).\r\nConnection closed by UNKNOWN port 65535',
    code: 'HOST.1003',
    message: ['me@jump'],
  },
  {
    stderr: 'ssh: connect to host 10.0.0.1 port 22: Connection refused',
    code: 'HOST.1003',
    message: ['no connection to host 10.0.0.1', 'refused'],
  },
  { stderr: '', code: 'HOST.1003', message: ['did not answer'] },
]

for (const { stderr, code, message } of rows)
  test(`${code} for ${JSON.stringify(stderr.slice(0, 60))}`, () => {
    const failure = sshFailure(target, stderr, pinned)
    assert.equal(failure.code, code)
    for (const part of message) assert.ok(failure.message.includes(part), failure.message)
  })

test('the output of a program does not decide why a connection was lost', () => {
  const { code, message } = lostConnection(target, 'Timeout, server 10.0.0.1 not responding.\r\n')
  assert.equal(code, 'HOST.1003')
  assert.equal(message, 'lost the connection to host 10.0.0.1: Timeout, server 10.0.0.1 not responding.')
})
