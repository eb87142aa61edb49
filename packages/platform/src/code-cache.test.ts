import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const codeCache = fileURLToPath(new URL('code-cache.cjs', import.meta.url))

test('a file is loaded from its code cache, and as usual without one that fits', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-code-cache-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'program.cjs')
  const write = (text: string): void => writeFileSync(file, `process.umask(0o077); process.stdout.write('${text}')`)
  const run = (prepare: 'useCodeCache' | 'recordCodeCache'): string => {
    const program = `require(${JSON.stringify(codeCache)}).${prepare}(); require(${JSON.stringify(file)})`
    return execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8' })
  }

  write('old')
  assert.equal(run('useCodeCache'), 'old', 'no cache')
  assert.equal(run('recordCodeCache'), 'old')
  assert.equal(statSync(`${file}.cache`).mode, statSync(file).mode)
  // of the same length, which is all that V8 compares, so that the text shows which code ran; the names of bundles avoid this
  write('new')
  assert.equal(run('useCodeCache'), 'old', 'from the cache')
  const cache = readFileSync(`${file}.cache`)
  for (const damaged of [cache.with(cache.length >> 1, ~(cache[cache.length >> 1] ?? 0)), cache.subarray(0, 100), '']) {
    writeFileSync(`${file}.cache`, damaged)
    assert.equal(run('useCodeCache'), 'new', 'damaged')
  }
  writeFileSync(`${file}.cache`, cache)
  write('newer')
  assert.equal(run('useCodeCache'), 'newer', 'of another source')
})
