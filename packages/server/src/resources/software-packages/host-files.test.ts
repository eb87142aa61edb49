import assert from 'node:assert/strict'
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openLocalDriver } from '../hosts/local-driver.ts'
import { publishUnpacked } from './hook-files.ts'
import {
  linkIntoPlace,
  makeFolders,
  removeFolders,
  removeFormerUnpackedScript,
  removeLinked,
  removeMoved,
} from './host-files.ts'

const driver = openLocalDriver()
const { signal } = new AbortController()
const exists = { code: 'SYS.1002', message: /already exists/ }

function freshFolder(t: TestContext): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-host-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return (name) => join(folder, name)
}

test('finds the real path, and the folders that are missing', async (t) => {
  const at = freshFolder(t)
  mkdirSync(at('-real'))
  symlinkSync('-real', at('link'))
  for (const [path, realPath, missingFolder] of [
    ['x', 'x', null],
    ['-real/x', '-real/x', null],
    ['link/x', '-real/x', null],
    ['link/-a/b/x', '-real/-a/b/x', 'link/-a'],
    ['a/b/c/x', 'a/b/c/x', 'a'],
  ] as const)
    assert.partialDeepStrictEqual(await driver.inspectPath(at(path), { signal }), {
      realPath: at(realPath),
      missingFolder: missingFolder && at(missingFolder),
      isTaken: false,
    })
  assert.partialDeepStrictEqual(await driver.inspectPath('/x-missing', { signal }), {
    realPath: '/x-missing',
    missingFolder: null,
    isTaken: false,
  })
  const { usage } = await driver.inspectPath('/x-missing/x', { signal })
  assert.deepEqual(usage.totalCapacity, (await driver.usage('/', { signal })).totalCapacity)
  assert.partialDeepStrictEqual(await driver.inspectPath('/x-missing/x', { signal }), {
    realPath: '/x-missing/x',
    missingFolder: '/x-missing',
    isTaken: false,
  })
})

test('finds existing paths, and refuses a path through something that is not a folder', async (t) => {
  const at = freshFolder(t)
  writeFileSync(at('file'), '')
  mkdirSync(at('folder'))
  symlinkSync('missing', at('dangling'))
  for (const name of ['file', 'folder', 'dangling'])
    assert.equal((await driver.inspectPath(at(name), { signal })).isTaken, true)
  for (const name of ['file/x', 'dangling/x', 'dangling/a/b'])
    await assert.rejects(driver.inspectPath(at(name), { signal }), { code: 'SoftwarePackage.1131' })
})

test('creates folders, and removes those that are still empty', async (t) => {
  const at = freshFolder(t)
  for (let twice = 0; twice < 2; twice++) await makeFolders(driver, at('-a/b/c'), signal)
  writeFileSync(at('-a/mine'), '')
  for (let twice = 0; twice < 2; twice++) await removeFolders(driver, at('-a/b/c'), at('-a'), signal)
  assert.deepEqual(readdirSync(at('-a')), ['mine'])
  await makeFolders(driver, at('b/c'), signal)
  await removeFolders(driver, at('b/c'), at('b/c'), signal)
  assert.deepEqual(readdirSync(at('b')), [], 'only the created folders')
})

test('linking a file is idempotent and never replaces another file', async (t) => {
  const at = freshFolder(t)
  writeFileSync(at('-part'), 'new')
  for (let twice = 0; twice < 2; twice++) await linkIntoPlace(driver, at('-part'), at('-name'), signal)
  assert.equal(readFileSync(at('-name'), 'utf8'), 'new')
  writeFileSync(at('other'), 'mine')
  await assert.rejects(linkIntoPlace(driver, at('-part'), at('other'), signal), exists)
  symlinkSync('missing', at('dangling'))
  await assert.rejects(linkIntoPlace(driver, at('-part'), at('dangling'), signal), exists)
  await removeLinked(driver, at('-part'), at('other'), signal)
  assert.equal(readFileSync(at('other'), 'utf8'), 'mine')
})

test('removes a file under both its names, and nothing else', async (t) => {
  const at = freshFolder(t)
  writeFileSync(at('part'), 'new')
  linkSync(at('part'), at('name'))
  for (let twice = 0; twice < 2; twice++) await removeLinked(driver, at('part'), at('name'), signal)
  writeFileSync(at('name'), 'mine')
  await removeLinked(driver, at('part'), at('name'), signal)
  assert.deepEqual(readdirSync(at('')), ['name'])
})

test('moves a folder, and removes only a folder that was moved', async (t) => {
  const at = freshFolder(t)
  mkdirSync(at('-new'))
  mkdirSync(at('mine'))
  writeFileSync(at('-new/install'), 'x')
  writeFileSync(at('part'), '')
  const publish = (path: string, size = 1) => {
    const target = { host: 'web-1', unpacked: at('-new'), path: at(path), part: at('part'), topFolder: null }
    return publishUnpacked(driver, target, [{ path: 'install', size }], signal)
  }
  await assert.rejects(publish('mine'), exists)
  const other = { code: 'SoftwarePackage.1300', message: /unpacked install with 1 bytes; its inspection found 2/ }
  await assert.rejects(publish('-name', 2), other)
  await removeMoved(driver, at('-new'), at('mine'), signal)
  assert.deepEqual(readdirSync(at('')), ['-new', 'mine', 'part'])
  for (let twice = 0; twice < 2; twice++) assert.match((await publish('-name'))[0]?.cksum ?? '', /^\d+$/)
  assert.deepEqual(readdirSync(at('')), ['-name', 'mine'])
  for (let twice = 0; twice < 2; twice++) await removeMoved(driver, at('-new'), at('-name'), signal)
  assert.deepEqual(readdirSync(at('')), ['mine'])
})

test('moving a missing folder fails', async (t) => {
  const at = freshFolder(t)
  const failure = { code: 'SYS.1016', message: /new is missing; upload the package again/ }
  const target = { host: 'web-1', unpacked: at('new'), path: at('name'), part: at('part'), topFolder: null }
  await assert.rejects(publishUnpacked(driver, target, [], signal), failure)
  assert.deepEqual(readdirSync(at('')), [])
})

test('a failure on the host contains its error output', async (t) => {
  const at = freshFolder(t)
  writeFileSync(at('file'), '')
  await assert.rejects(makeFolders(driver, at('file/x'), signal), { code: 'SYS.1016', message: /file\/x.*directory/is })
})

test('removes what earlier uploads to the same path left at a power loss, and nothing else', async () => {
  const at = mkdtempSync(join(tmpdir(), 'wharf-former-'))
  const [mine, former] = ['a'.repeat(32), 'b'.repeat(32)]
  const kept = [
    ...['p', 'p.mine.unpacking', `q.${former}.unpacking`, `p.${former}.part`, `p_${former}`],
    // uploads to p.v2, and to a path that is named like a job
    ...[`p.v2.${former}.unpacking`, `p.v2.${former}.unpacking.tar`, `p.${former}.${mine}.unpacking`],
  ]
  try {
    for (const name of [...kept, `p.${mine}.unpacking`, `p.${former}.unpacking`])
      mkdirSync(join(at, name, 'x'), { recursive: true })
    writeFileSync(join(at, `p.${former}.unpacking.tar`), '')
    const folder = join(at, `p.${mine}.unpacking`)
    for (const _ of [1, 2]) await driver.run(['sh', '-c', removeFormerUnpackedScript, 'wharf', folder], { signal })
    assert.deepEqual(readdirSync(at).sort(), kept.sort())
  } finally {
    rmSync(at, { recursive: true })
  }
})
