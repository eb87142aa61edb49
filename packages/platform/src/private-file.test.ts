import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writePrivateFile } from './private-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-private-'))
after(() => rmSync(folder, { recursive: true }))
const modeOf = (path: string): number => statSync(path).mode & 0o777

test('only its owner can read it, with any umask and any previous file', () => {
  const path = join(folder, 'secret')
  const before = process.umask(0)
  try {
    writePrivateFile(path, 'one')
    assert.equal(modeOf(path), 0o600)
    chmodSync(path, 0o644)
    writePrivateFile(path, 'two')
    assert.equal(modeOf(path), 0o600)
  } finally {
    process.umask(before)
  }
  assert.equal(readFileSync(path, 'utf8'), 'two')
})

test('leaves no temporary file', () => {
  const within = mkdtempSync(join(folder, 'within-'))
  writePrivateFile(join(within, 'file'), 'text')
  assert.deepEqual(readdirSync(within), ['file'])
})

test('overwrites the rest of an interrupted write, and stays private', () => {
  const within = mkdtempSync(join(folder, 'within-'))
  const path = join(within, 'file')
  writeFileSync(`${path}.new`, 'half a text that is longer than the next', { mode: 0o644 })
  writePrivateFile(path, 'whole')
  assert.equal(readFileSync(path, 'utf8'), 'whole')
  assert.equal(modeOf(path), 0o600)
  assert.deepEqual(readdirSync(within), ['file'])
})

test('a failed write keeps the old content', () => {
  const within = mkdtempSync(join(folder, 'within-'))
  const path = join(within, 'file')
  writePrivateFile(path, 'old')
  symlinkSync(join(within, 'nowhere', 'at all'), `${path}.new`)
  assert.throws(() => writePrivateFile(path, 'new'), /ENOENT/)
  assert.equal(readFileSync(path, 'utf8'), 'old')
})
