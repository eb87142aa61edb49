import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { reverseCleanup, runProgram, serverEnvironment, TestServer } from '@wharf/testkit'
import { readPrivateKey } from './private-key.ts'
import { ensureServerKey } from './server-key.ts'

test('the key of the server is created once, readable by its owner only', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'wharf-key-'))
  t.after(() => rmSync(data, { recursive: true }))
  const keys = await Promise.all(Array.from({ length: 5 }, () => ensureServerKey(data)))
  const again = await ensureServerKey(data)
  for (const { publicKey, privateKey } of keys) {
    assert.equal(publicKey, again.publicKey)
    assert.equal(privateKey.reveal(), again.privateKey.reveal())
  }
  assert.match(again.publicKey, /^ssh-ed25519 [A-Za-z0-9+/]+ wharf$/)
  assert.equal(readFileSync(join(data, 'ssh/id_ed25519.pub'), 'utf8'), `${again.publicKey}\n`)
  assert.deepEqual(readdirSync(join(data, 'ssh')).sort(), ['id_ed25519', 'id_ed25519.pub'])
  assert.equal(statSync(join(data, 'ssh/id_ed25519')).mode & 0o777, 0o600)
  assert.equal(statSync(join(data, 'ssh')).mode & 0o777, 0o700)
})

test('a server creates its key at the first start, and starts without one when it cannot', async (t) => {
  const { app, admin } = await TestServer.start(t)
  assert.match(
    readFileSync(join(app.foundation.settings.data, 'ssh/id_ed25519.pub'), 'utf8'),
    /^ssh-ed25519 \S+ wharf\n$/,
  )
  assert.equal((await admin.get('/v1/hosts')).status, 200)

  const cleanup = reverseCleanup(t)
  const environment = await serverEnvironment(cleanup, { hasTables: false })
  mkdirSync(environment.WHARF_DATA ?? '')
  writeFileSync(join(environment.WHARF_DATA ?? '', 'ssh'), 'in the way')
  const keyless = await TestServer.open(environment)
  cleanup.after(() => keyless.app.close())
  assert.equal((await keyless.admin.get('/v1/hosts')).status, 200)
  assert.match(keyless.logText, /the SSH key of this server could not be created/)
})

test('a private key may have other line ends, or lack the last', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-key-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [type, form] of [
    ['ed25519', []],
    ['rsa', ['-b', '2048', '-m', 'PEM']],
    ['ecdsa', ['-m', 'PKCS8']],
  ] as const) {
    const file = join(folder, type)
    await runProgram('ssh-keygen', ['-q', '-t', type, ...form, '-N', '', '-C', '', '-f', file])
    const text = readFileSync(file, 'utf8')
    for (const given of [text, text.trim(), text.replaceAll('\n', '\r\n'), `\n${text}\n\n`]) {
      const { privateKey, publicKey } = await readPrivateKey(given)
      assert.equal(privateKey.reveal(), text)
      assert.equal(publicKey, readFileSync(`${file}.pub`, 'utf8').trim())
    }
  }
})

test('refuses what is not a private key, and a key with a passphrase, without printing it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-key-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'passphrase', '-f', join(folder, 'locked')])
  const locked = readFileSync(join(folder, 'locked'), 'utf8')
  for (const given of ['', 'secret text', locked, readFileSync(join(folder, 'locked.pub'), 'utf8')]) {
    await assert.rejects(readPrivateKey(given), (error: Error) => {
      assert.equal((error as { code?: string }).code, 'SYS.1007')
      assert.ok(!error.message.includes('secret'))
      assert.equal(error.cause, undefined)
      return true
    })
  }
})
