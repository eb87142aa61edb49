import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyCharacter } from '@wharf/testkit/any-character.ts'
import fc from 'fast-check'
import { defaultFolder, packageName, pathIn, safeFileName } from './suggested-path.ts'

test('every file name becomes one that the server accepts', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      const safe = safeFileName(name)
      assert.match(safe, /^[A-Za-z0-9_.-]+$/)
      assert.ok(safe !== '.' && safe !== '..')
    }),
  )
})

test('the package name is the file name without its archive extension', () => {
  const names = { 'hello-1.0.0.tar.gz': 'hello-1.0.0', 'a.zip': 'a', 'a.TAR.ZST': 'a', image: 'image', '.tar': '.tar' }
  for (const [file, name] of Object.entries(names)) assert.equal(packageName(file), name)
})

test('the default folder is used, and a path consists of folder and file', () => {
  for (const [packagesPath, folder] of [
    ['/home/ops/wharf-packages', '/home/ops/wharf-packages/uploads'],
    ['/home/ops@example.com/wharf-packages', '/srv/packages'],
    [null, '/srv/packages'],
  ] as const)
    assert.equal(defaultFolder({ kind: 'host', packagesPath }), folder)
  assert.equal(defaultFolder({ kind: 'storage', packagesPath: null }), 'packages')
  assert.equal(pathIn('/opt/', 'hello 1.tar'), '/opt/hello-1.tar')
  assert.equal(pathIn('', 'a.tar'), 'a.tar')
})
