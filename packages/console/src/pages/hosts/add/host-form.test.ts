import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf, newHostForm, problemsOf, targetOf } from './host-form.ts'

const form = { ...newHostForm(new URLSearchParams()), name: 'web-1', address: '10.0.0.7' }

test('a packages folder is sent when there is one, for either driver', () => {
  for (const driver of ['ssh', 'local'] as const) {
    const given = { ...form, driver, packagesPath: ' /srv/packages ' }
    assert.deepEqual(problemsOf(given), {})
    assert.equal(inputOf(given, undefined).packagesPath, '/srv/packages')
    assert.ok(!('packagesPath' in inputOf({ ...form, driver }, undefined)))
    assert.deepEqual(problemsOf({ ...given, packagesPath: 'srv/packages' }), { packagesPath: 'badFolder' })
  }
})

test('the parameters of the URL fill the form', () => {
  const search = new URLSearchParams({ name: 'web-1', address: '10.0.0.7', username: 'ignored' })
  const { name, address, sshPort, username, key } = newHostForm(search)
  assert.deepEqual(
    { name, address, sshPort, username, key },
    {
      name: 'web-1',
      address: '10.0.0.7',
      sshPort: '22',
      username: 'root',
      key: 'own',
    },
  )
})

const rejected: [change: object, problems: object][] = [
  [{ name: ' ' }, { name: 'required' }],
  [{ address: '' }, { address: 'required' }],
  [{ username: ' ' }, { username: 'required' }],
  [{ sshPort: '0' }, { sshPort: 'badPort' }],
  [{ sshPort: '65536' }, { sshPort: 'badPort' }],
  [{ sshPort: '22.5' }, { sshPort: 'badPort' }],
  [{ sshPort: 'ssh' }, { sshPort: 'badPort' }],
  [{ key: 'given', privateKey: '' }, { privateKey: 'badKey' }],
  [{ key: 'given', privateKey: 'ssh-ed25519 AAAA' }, { privateKey: 'badKey' }],
  [{ packagesPath: '/srv/../etc' }, { packagesPath: 'badFolder' }],
  [{ packagesPath: '/srv/a b' }, { packagesPath: 'badFolder' }],
  [
    { name: '', address: '' },
    { name: 'required', address: 'required' },
  ],
]
for (const [change, problems] of rejected)
  test(`rejects ${JSON.stringify(change)}`, () => assert.deepEqual(problemsOf({ ...form, ...change }), problems))

test('a key that is not used may be anything', () => {
  assert.deepEqual(problemsOf({ ...form, key: 'own', privateKey: 'unfinished' }), {})
  assert.ok(!('privateKey' in inputOf({ ...form, privateKey: 'unfinished' }, undefined)))
})

test('the local driver ignores the SSH fields', () => {
  const local = { ...form, driver: 'local' as const, address: '', sshPort: 'x', username: '' }
  assert.deepEqual(problemsOf(local), {})
  assert.deepEqual(inputOf(local, 'SHA256:x'), {
    driver: 'local',
    name: 'web-1',
    address: '127.0.0.1',
    username: 'root',
  })
})

test('an SSH host is sent with its trusted key', () => {
  const input = inputOf({ ...form, name: ' web-1 ', address: ' 10.0.0.7 ', sshPort: '2222' }, 'SHA256:x')
  assert.deepEqual(input, {
    driver: 'ssh',
    name: 'web-1',
    address: '10.0.0.7',
    sshPort: 2222,
    username: 'root',
    hostKeyFingerprint: 'SHA256:x',
  })
})

test('a private key ends with a newline, which OpenSSH requires', () => {
  const privateKey = '\n-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----'
  const given = { ...form, key: 'given' as const, privateKey }
  assert.deepEqual(problemsOf(given), {})
  assert.equal((inputOf(given, undefined) as { privateKey?: string }).privateKey, `${privateKey.trim()}\n`)
})

test('a host without a name is called by its address while its key is loaded', () => {
  assert.equal(targetOf({ ...form, name: '' }).name, '10.0.0.7')
  assert.equal(targetOf(form).name, 'web-1')
})
