import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openLocalDriver } from './local-driver.ts'
import {
  checkedPackagesPath,
  defaultPackagesPath,
  findDefaultPackagesPath,
  requireWritablePackagesPath,
} from './packages-path.ts'

const driver = openLocalDriver()
const { signal } = new AbortController()
const refused = (rule: RegExp) => ({ code: 'SoftwarePackage.1131', message: rule })

for (const [path, plain] of [
  ['/srv/packages', '/srv/packages'],
  ['/srv/packages/', '/srv/packages'],
  ['/var/lib/wharf/wharf-packages', '/var/lib/wharf/wharf-packages'],
] as const)
  test(`accepts ${path} as packagesPath`, () => assert.equal(checkedPackagesPath(path, ['/var/lib/wharf']), plain))

for (const [path, rule] of [
  ['srv/packages', /packagesPath srv\/packages must be absolute/],
  ['/', /below the root/],
  ['//', /\/\//],
  ['/srv/../etc', /\.\./],
  ['/srv/a b', /only letters/],
  ['/etc/packages', /under \/etc/],
  ['/home/a/.ssh/x', /\.ssh/],
  ['/var/lib/wharf', /under \/var\/lib\/wharf/],
  ['/var/lib/wharf/uploads', /under \/var\/lib\/wharf/],
] as const)
  test(`refuses ${path} as packagesPath`, () =>
    assert.throws(() => checkedPackagesPath(path, ['/var/lib/wharf']), refused(rule)))

for (const [uid, home, path] of [
  [0, '/root', '/var/lib/wharf-packages'],
  [1000, '/home/ops', '/home/ops/wharf-packages'],
  [1000, '/home/ops@example.com/', '/home/ops@example.com/wharf-packages'],
  [999, '/var/lib/wharf', '/var/lib/wharf/wharf-packages'],
  [1000, '/', '/wharf-packages'],
  [1000, '', null],
  [1000, 'home', null],
  [Number.NaN, '/home/ops', '/home/ops/wharf-packages'],
] as const)
  test(`uid ${uid} with home '${home}' has ${path}`, () => assert.equal(defaultPackagesPath({ uid, home }), path))

test('the host reports its user', async () => {
  const { uid } = userInfo()
  assert.equal(await findDefaultPackagesPath(driver, signal), defaultPackagesPath({ uid, home: homedir() }))
})

function fixture(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-packages-path-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const data = join(folder, 'data')
  mkdirSync(data)
  const host = { name: 'web-1', address: '10.0.0.7', status: 'Connected' } as const
  const check = (name: string, kind: 'local' | 'ssh' = 'local') =>
    requireWritablePackagesPath(driver, { ...host, driver: kind }, join(folder, name), { data, signal })
  return { folder, check }
}

test('a folder that can be created is accepted, and not created yet', async (t) => {
  const { folder, check } = fixture(t)
  mkdirSync(join(folder, 'there'))
  symlinkSync('there', join(folder, 'link'))
  for (const name of ['there', 'there/a/b', 'link', 'link/a', 'data/wharf-packages', '-new']) await check(name)
  await check('data/other', 'ssh')
  assert.deepEqual(readdirSync(folder).toSorted(), ['data', 'link', 'there'])
  assert.deepEqual(readdirSync(join(folder, 'there')), [])
})

test('a folder that leads elsewhere, or cannot be written, is refused with a remedy', async (t) => {
  const { folder, check } = fixture(t)
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('/etc', join(folder, 'etc'))
  symlinkSync('data', join(folder, 'alias'))
  symlinkSync('nowhere', join(folder, 'dangling'))
  for (const name of ['etc', 'etc/wharf']) await assert.rejects(check(name), refused(/is under \/etc/))
  for (const name of ['data/other', 'alias', 'alias/a']) await assert.rejects(check(name), refused(/not for packages/))
  for (const name of ['file', 'file/a', 'dangling', 'dangling/a'])
    await assert.rejects(check(name), {
      code: 'SYS.1016',
      message: new RegExp(
        `user ${userInfo().username} .* ${folder}/${name} of host web-1 \\(10\\.0\\.0\\.7\\): .* is not a folder; .* delete the host and add it again with a packagesPath`,
      ),
    })
})
