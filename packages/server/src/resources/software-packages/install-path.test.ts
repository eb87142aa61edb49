import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { checkHostPath, checkRealPath, normalizeDirectory, normalizeStoragePath } from './install-path.ts'

const refused = { code: 'SoftwarePackage.1131' }

for (const path of [
  '/opt/a.tar',
  '/var/lib/wharf/p-1.0_x.tar.gz',
  '/etcetera/x',
  '/usr/share/x',
  '/home/a/.sshx/b',
  '/x',
])
  test(`accepts ${path} on a host`, () => checkHostPath(path))

for (const [path, why] of [
  ['opt/a.tar', 'absolute'],
  ['/', 'folder'],
  ['/opt/', 'folder'],
  ['/opt//a', '//'],
  ['/opt/../etc/passwd', '..'],
  ['/opt/./a', '. or ..'],
  ['/opt/a b', 'only letters'],
  ['/opt/a;reboot', 'only letters'],
  ['/opt/ä', 'only letters'],
  ['/opt/a\n', 'only letters'],
  ['/etc', '/etc'],
  ['/etc/cron.d/x', '/etc'],
  ['/proc/1/x', '/proc'],
  ['/usr/lib/x', '/usr/lib'],
  ['/usr/lib64/x', '/usr/lib64'],
  ['/var/spool/cron/root', '/var/spool/cron'],
  ['/root/.ssh/authorized_keys', '.ssh'],
  ['/srv/wharf/data/x', '/srv/wharf/data'],
] as const)
  test(`refuses ${JSON.stringify(path)} on a host`, () => {
    assert.throws(() => checkHostPath(path, ['/srv/wharf/data']), {
      ...refused,
      message: new RegExp(why.replaceAll('.', '\\.')),
    })
  })

test('refuses a harmless name whose real path is in a system folder', () => {
  assert.throws(() => checkRealPath('/etc/systemd/x'), refused)
  checkRealPath('/mnt/disk with spaces/x')
})

test('accepts storage paths relative to the root, system names included', () => {
  assert.equal(normalizeStoragePath('/etc/a.tar'), 'etc/a.tar')
  assert.equal(normalizeStoragePath('a/b.tar'), 'a/b.tar')
  for (const path of ['/', '', '../a', 'a/../../b', 'a/', 'a//b', '//a', '/a/./b'])
    assert.throws(() => normalizeStoragePath(path), refused)
})

test('normalizes any absolute folder without .. and NUL', () => {
  for (const [path, plain] of [
    ['/', '/'],
    ['//', '/'],
    ['/a folder/ä', '/a folder/ä'],
    ['/a/', '/a'],
    ['/a//./b/.', '/a/b'],
  ] as const)
    assert.equal(normalizeDirectory(path), plain)
  for (const path of ['a', '/a/..', '/a/../b', '/a\0b']) assert.throws(() => normalizeDirectory(path), refused)
})
