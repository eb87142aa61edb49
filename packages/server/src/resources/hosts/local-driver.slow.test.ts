import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { hostDriverContract, runProgram } from '@wharf/testkit'
import { openLocalDriver } from './local-driver.ts'

hostDriverContract('local', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-local-'))
  const driver = openLocalDriver()
  t.after(async () => {
    await driver.close()
    rmSync(folder, { recursive: true })
  })
  return { driver, folder, exec: (script) => runProgram('sh', ['-c', script]) }
})

test('adopts a file of this node, and never replaces another with it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-adopt-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const driver = openLocalDriver()
  const { signal } = new AbortController()
  const [spool, target] = [join(folder, 'spool'), join(folder, 'target')]
  writeFileSync(spool, 'new')
  await driver.adopt(spool, target, { signal })
  assert.equal(statSync(target).ino, statSync(spool).ino)
  assert.equal(statSync(target).mode & 0o777, 0o644)
  rmSync(spool)

  writeFileSync(spool, 'other')
  await assert.rejects(driver.adopt(spool, target, { signal }), { code: 'SYS.1002', message: /target/ })
  await assert.rejects(driver.adopt(spool, join(folder, 'no/x'), { signal }), {
    code: 'SYS.1016',
    message: /no such file/,
  })
  assert.deepEqual(readdirSync(folder), ['spool', 'target'])
  assert.equal(readFileSync(target, 'utf8'), 'new')
})

test('adopts a file from another file system by copying it', async (t) => {
  const folder = mkdtempSync('/dev/shm/wharf-adopt-')
  t.after(() => rmSync(folder, { recursive: true }))
  const other = mkdtempSync(join(tmpdir(), 'wharf-adopt-'))
  t.after(() => rmSync(other, { recursive: true }))
  writeFileSync(join(folder, 'spool'), 'bytes')
  await openLocalDriver().adopt(join(folder, 'spool'), join(other, 'target'), { signal: new AbortController().signal })
  assert.deepEqual([readdirSync(folder), readdirSync(other)], [['spool'], ['target']])
  assert.equal(readFileSync(join(other, 'target'), 'utf8'), 'bytes')
})
