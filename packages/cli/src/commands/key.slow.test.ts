import { strict as assert } from 'node:assert'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TestServer } from '@wharf/testkit'
import { Profiles } from '../settings/profiles.ts'
import { environmentOf, freshHome, runCaptured } from '../testing/captured-io.ts'

const dayMs = 86_400_000

test('access keys with limits', async (t) => {
  const server = await TestServer.start(t)
  const env = environmentOf(server.bootstrap)
  const home = freshHome(t)
  const run = (...argv: string[]) => runCaptured(argv, { env, home })
  const created = async (...options: string[]) => {
    const { code, stdout, stderr } = await run('key', 'create', ...options, '--json')
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as Record<string, string>
  }
  const fileOf = (name: string, text: string): string => {
    const path = join(home, name)
    writeFileSync(path, text)
    return path
  }

  await t.test('a key is created with every limit, and listed with it', async () => {
    const limits = ['--role', 'reader', '--operation', 'QueryHost', '--operation', 'tags:*', '--from', '127.0.0.0/8']
    const key = await created('--description', 'deploy', ...limits, '--scheme', 'rfc9421', '--expires', '2040-01-31')
    assert.partialDeepStrictEqual(key, {
      role: 'reader',
      operations: ['QueryHost', 'tags:*'],
      allowedCidrs: ['127.0.0.0/8'],
      schemes: ['rfc9421'],
      expiresDate: 'Jan 31, 2040 12:00:00 AM',
    })
    const file = fileOf('deploy.json', JSON.stringify(key))
    const as = (...argv: string[]) => runCaptured([...argv, '--credentials', file], { home })
    assert.equal((await as('host', 'list')).code, 0)
    assert.match((await as('package', 'list')).stderr, /may not call QuerySoftwarePackage, only QueryHost, tags:\*/)
    assert.match((await run('key', 'list')).stdout, /deploy +admin +reader +- +Jan 31, 2040 12:00:00 AM/)
    assert.match((await run('key', 'list', '-o', 'wide')).stdout, /QueryHost.*tags:\* +127\.0\.0\.0\/8 +rfc9421/)
  })

  await t.test('a period is an expiry from now; doctor warns of a key that expires soon', async () => {
    const { expiresDate = '' } = await created('--description', 'short-lived', '--expires', '13d')
    assert.ok(Math.abs(Date.parse(`${expiresDate} UTC`) - Date.now() - 13 * dayMs) < 60_000, expiresDate)
    const { code, stdout } = await run('doctor')
    assert.equal(code, 0)
    assert.match(stdout, /warning +access key +\w{20} \(short-lived\) expires on .*\n +create another one/)
  })

  await t.test('a rotation stores the new secret in the profile that uses the key', async () => {
    const { AccessKeyID = '', AccessKeySecret = '' } = await created()
    const login = ['login', '--url', server.url, '--access-key-id', AccessKeyID, '--password-stdin', '--as', 'mine']
    assert.equal((await runCaptured(login, { home, input: AccessKeySecret })).code, 0)
    const stored = () => new Profiles({ env: {}, home }).credentialOf('mine')
    assert.deepEqual(stored(), { accessKeyId: AccessKeyID, accessKeySecret: AccessKeySecret, scheme: 'rfc9421' })
    const mine = (...argv: string[]) => runCaptured([...argv, '--profile', 'mine'], { home })
    const { code, stdout, stderr } = await mine('key', 'rotate', AccessKeyID, '--overlap', '0', '--json')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /Stored the new secret in profile mine\./)
    assert.equal(stored()?.accessKeySecret, JSON.parse(stdout).AccessKeySecret)
    assert.equal((await mine('host', 'list')).code, 0)
    assert.equal((await mine('key', 'rotate', AccessKeyID, '--overlap', '721')).code, 2)
  })

  await t.test('a profile of version 1.0 signs as before', async () => {
    const { AccessKeyID = '', AccessKeySecret = '' } = await created('--scheme', 'rfc9421')
    const profiles = new Profiles({ env: {}, home })
    const credential = { accessKeyId: AccessKeyID, accessKeySecret: AccessKeySecret }
    profiles.save('old', { url: server.url }, credential)
    const { stderr } = await runCaptured(['host', 'list', '--profile', 'old'], { home })
    assert.match(stderr, /requires signatures by RFC 9421/)
    profiles.save('old', { url: server.url }, { ...credential, scheme: 'rfc9421' })
    assert.equal((await runCaptured(['host', 'list', '--profile', 'old'], { home })).code, 0)
  })

  await t.test('a key without a secret signs with a private key', async () => {
    const pair = generateKeyPairSync('ed25519')
    const publicFile = fileOf('public.pem', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString())
    const privateFile = fileOf('private.pem', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    const key = await created('--public-key', publicFile)
    assert.partialDeepStrictEqual(key, { AccessKeySecret: null, publicKey: readFileSync(publicFile, 'utf8') })
    const { AccessKeyID = '' } = key
    const login = ['login', '--url', server.url, '--access-key-id', AccessKeyID, '--private-key', privateFile]
    const { code, stderr } = await runCaptured([...login, '--as', 'signed'], { home })
    assert.equal(code, 0, stderr)
    assert.equal((await runCaptured(['tag', 'create', 'signed', '--profile', 'signed'], { home })).code, 0)
    const missing = await runCaptured(['login', '--private-key', privateFile], { env, home })
    assert.match(missing.stderr, /--private-key needs --access-key-id/)
  })
})
