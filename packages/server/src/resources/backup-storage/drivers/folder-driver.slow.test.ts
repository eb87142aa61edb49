import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { hostsNeedRoot, runProgram, storageDriverContract } from '@wharf/testkit'
import { FolderDriver } from './folder-driver.ts'
import { newPartName } from './storage-path.ts'

const { signal } = new AbortController()

function openFolder(t: { after(work: () => void | Promise<void>): void }) {
  const root = mkdtempSync(join(tmpdir(), 'wharf-storage-'))
  t.after(async () => rmSync(root, { recursive: true, force: true }))
  return { root, driver: new FolderDriver({ root, storage: 'backup storage test', data: '/' }) }
}

/** Files, and folders that are empty. */
function contentsOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() || readdirSync(join(entry.parentPath, entry.name)).length === 0)
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

storageDriverContract('folder', async (t) => {
  const { root, driver } = openFolder(t)
  return {
    driver,
    unreachable: new FolderDriver({ root: join(root, 'not-there'), storage: 'backup storage away', data: '/' }),
    contents: async () => contentsOf(root),
    place: async (path, bytes) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), bytes)
    },
    reportsCapacity: true,
  }
})

const left = (root: string, path: string): string => {
  const part = join(dirname(join(root, path)), newPartName(path.split('/').at(-1) ?? ''))
  mkdirSync(dirname(part), { recursive: true })
  writeFileSync(part, 'half')
  return part
}

test('the next put or removal of a file removes what a killed put left', async (t) => {
  const { root, driver } = openFolder(t)
  left(root, 'some/file')
  left(root, 'some/other')
  await driver.put(Readable.from(['whole']), 'some/file', { signal })
  assert.deepEqual(contentsOf(root).length, 2, 'that of the other file stays')
  await driver.remove('some/other', { signal })
  assert.deepEqual(contentsOf(root), ['some/file'])
  await driver.remove('some/file', { signal })
  assert.deepEqual(contentsOf(root), [])
})

test('never creates its root: it may be a disk that is not mounted', async (t) => {
  const { root, driver } = openFolder(t)
  rmSync(root, { recursive: true })
  await assert.rejects(driver.put(Readable.from(['x']), 'file', { signal }), {
    code: 'BS.1003',
    message: /does not exist/,
  })
  assert.throws(() => readdirSync(root), /ENOENT/)
})

test('files and folders are readable by the server only', async (t) => {
  const { root, driver } = openFolder(t)
  await driver.put(Readable.from(['x']), 'some/file', { signal })
  assert.equal(
    execFileSync('stat', ['-c', '%a', join(root, 'some'), join(root, 'some/file')], { encoding: 'utf8' }),
    '700\n600\n',
  )
})

test('reads files only: a FIFO would never end', async (t) => {
  const { root, driver } = openFolder(t)
  await runProgram('mkfifo', [join(root, 'fifo')])
  await assert.rejects(buffer(driver.get('fifo', { signal })), { code: 'BS.1500', message: /it is not a file/ })
})

test('a full disk is reported, and nothing of the file remains', {
  skip: hostsNeedRoot,
}, async (t: TestContext) => {
  const { root, driver } = openFolder(t)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'small', root])
  try {
    await driver.put(Readable.from(['fits']), 'small/file', { signal })
    const large = Readable.from([Buffer.alloc(3_000_000)])
    await assert.rejects(driver.put(large, 'large/file', { signal }), {
      code: 'SoftwarePackage.1121',
      message: /no space left/,
    })
    assert.deepEqual(contentsOf(root), ['small/file'])
    assert.equal(readFileSync(join(root, 'small/file'), 'utf8'), 'fits')
  } finally {
    execFileSync('umount', [root])
  }
})
