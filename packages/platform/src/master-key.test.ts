import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findMasterKey, makeMasterKey, masterKeyPath, parseMasterKey } from './master-key.ts'
import { OperatorError } from './operator-error.ts'
import { Secret } from './secret.ts'

const folder = mkdtempSync(join(tmpdir(), 'wharf-key-'))
after(() => rmSync(folder, { recursive: true }))
const newFolder = (): string => mkdtempSync(join(folder, 'data-'))

const key = Buffer.from('00112233445566778899aabbccddeefffbf0f1f2f3f4f5f6f7f8f9fafbfcfdff', 'hex')
const forms = {
  'lower-case hex': key.toString('hex'),
  'upper-case hex': key.toString('hex').toUpperCase(),
  base64: key.toString('base64'),
  'base64 without padding': key.toString('base64').replace('=', ''),
  base64url: key.toString('base64url'),
  'a line with a line end': `${key.toString('base64')}\r\n`,
}
for (const [name, text] of Object.entries(forms))
  test(`reads ${name}`, () => assert.deepEqual(parseMasterKey(text), key))

const broken = [
  '',
  'secret',
  key.toString('hex').slice(1),
  `${key.toString('hex')}0`,
  randomBytes(31).toString('base64'),
]
for (const text of broken) test(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseMasterKey(text), undefined))

test('finds no key in an empty folder, and creates nothing', () => {
  const data = newFolder()
  assert.equal(findMasterKey({ data }), undefined)
  assert.throws(() => statSync(masterKeyPath(data)), /ENOENT/)
})

test('finds a created key again, readable by its owner only', () => {
  const data = newFolder()
  const made = makeMasterKey(data)
  assert.equal(made.length, 32)
  assert.deepEqual(findMasterKey({ data }), made)
  assert.equal(statSync(masterKeyPath(data)).mode & 0o777, 0o600)
  assert.notDeepEqual(makeMasterKey(newFolder()), made)
})

test('the environment takes precedence over a file of the operator, and that over the data folder', () => {
  const data = newFolder()
  makeMasterKey(data)
  const masterKeyFile = join(folder, 'operators.key')
  writeFileSync(masterKeyFile, 'ab'.repeat(32))
  const masterKey = Secret.of('cd'.repeat(32))
  assert.deepEqual(findMasterKey({ data, masterKeyFile }), Buffer.alloc(32, 0xab))
  assert.deepEqual(findMasterKey({ data, masterKey }), Buffer.alloc(32, 0xcd))
})

test('a file without a key, or an unreadable one, is named in one line without its content', () => {
  const data = newFolder()
  writeFileSync(masterKeyPath(data), 'not a key\n')
  assert.throws(
    () => findMasterKey({ data }),
    (error: Error) =>
      error instanceof OperatorError &&
      error.message === `the master key in ${masterKeyPath(data)} is not 32 bytes in hex or base64`,
  )
  assert.equal(readFileSync(masterKeyPath(data), 'utf8'), 'not a key\n')

  const inItsPlace = newFolder()
  mkdirSync(masterKeyPath(inItsPlace))
  assert.throws(
    () => findMasterKey({ data: inItsPlace }),
    /^OperatorError: the master key .*master\.key cannot be read: illegal operation on a directory$/,
  )
})
