import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedTarget, describeTarget } from './target.ts'

const target = { address: 'host-1.example.com', port: 22, username: 'root' }

for (const change of [
  {},
  { address: '10.0.0.1' },
  { address: 'fe80::1%eth0' },
  { address: '::1', port: 2222 },
  { address: 'name_in_ssh_config' },
  { address: '10.0.0.300.example.com' },
  { username: 'a.b+c@d-e' },
])
  test(`takes ${JSON.stringify(change)}`, () =>
    assert.deepEqual(checkedTarget({ ...target, ...change }), { ...target, ...change }))

for (const [change, message] of [
  [{ address: '' }, /address/],
  [{ address: '-oProxyCommand=id' }, /address/],
  [{ address: 'a b' }, /address/],
  [{ address: 'a;id' }, /address/],
  [{ address: '$(id)' }, /address/],
  [{ address: 'user@host' }, /address/],
  [{ address: 'ssh://host' }, /address/],
  [{ address: 'x'.repeat(256) }, /address/],
  [{ address: '10.0.0.300' }, /^address .*; "10\.0\.0\.300" is none: correct it$/],
  [{ address: '10.0.0' }, /address/],
  [{ address: 'fe80:::1' }, /address/],
  [{ address: 'host:22' }, /address/],
  [{ username: '' }, /username/],
  [{ username: '-l' }, /username/],
  [{ username: 'a`id`' }, /username/],
  [{ username: "a'b" }, /username/],
  [{ port: 0 }, /sshPort/],
  [{ port: 65_536 }, /sshPort/],
  [{ port: 22.5 }, /sshPort/],
] as const)
  test(`refuses ${JSON.stringify(change).slice(0, 60)}`, () => {
    assert.throws(() => checkedTarget({ ...target, ...change }), { code: 'SYS.1007', message })
  })

test('names the port only where it is not the usual one', () => {
  assert.equal(describeTarget(target), 'host host-1.example.com')
  assert.equal(describeTarget({ ...target, port: 2222 }), 'host host-1.example.com port 2222')
})
