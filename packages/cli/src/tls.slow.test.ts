import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipped, installable, makeSignedCertificate, PackageFixture, wharfCommand } from '@wharf/testkit'
import { exitCodes } from './exit-codes.ts'
import { type CommandResult, environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'

const [program, ...programArgs] = wharfCommand

test('a server with a certificate of a private authority', async (t) => {
  const folder = freshHome(t)
  const { ca, cert, key } = makeSignedCertificate(folder)
  const fixture = await PackageFixture.start(t, { environment: { WHARF_TLS_CERT: cert, WHARF_TLS_KEY: key } })
  const { bootstrap } = fixture.server
  const { PATH = '' } = process.env
  // a separate process, because trust applies to the whole process
  const run = (argv: readonly string[], env: Record<string, string>, input = ''): Promise<CommandResult> =>
    new Promise((resolve) => {
      const child = execFile(
        program,
        [...programArgs, ...argv],
        { env: { PATH, HOME: folder, ...env } },
        (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
      child.stdin?.end(input)
    })
  const wharf = (...argv: string[]): Promise<CommandResult> => run(argv, environmentOf(bootstrap))
  const ok = ({ code, stdout, stderr }: CommandResult): string => {
    assert.equal(code, exitCodes.ok, stderr)
    return stdout
  }
  const archive = join(folder, 'demo.tar.gz')
  writeFileSync(archive, gzipped(installable()))
  const upload = (name: string) => ['package', 'upload', archive, '--type', 'demo', '--backup-storage', '--path', name]

  await t.test('is not trusted, and the error contains the remedy', async () => {
    for (const argv of [
      ['host', 'list'],
      ['events', '--limit', '1'],
    ]) {
      const { code, stderr } = await wharf(...argv)
      assert.equal(code, exitCodes.failed, stderr)
      assert.match(stderr, /cannot reach \S+: unable to verify[\s\S]*--ca-file FILE/)
    }
  })

  await t.test('is trusted with --ca-file by calls, uploads, logs and event streams', async () => {
    const trusted = ['--ca-file', ca]
    const streamed = wharf('events', '--resource', 'SoftwarePackage', '--limit', '1', ...trusted)
    const uploaded = await wharf(...upload('trusted'), '--log', '--json', ...trusted)
    assert.equal(JSON.parse(ok(uploaded)).status, 'Uploaded')
    assert.match(uploaded.stderr, /Step: /)
    assert.match(ok(await wharf('package', 'log', '-f', 'demo', ...trusted)), /Step: /)
    // the stream may have opened after the upload
    ok(await wharf('package', 'delete', 'demo', ...trusted))
    assert.match(ok(await streamed), /SoftwarePackage/)
  })

  await t.test('is accepted with --insecure and a warning', async () => {
    for (const argv of [upload('insecure'), ['package', 'log', '-f', 'demo']]) {
      const { code, stderr } = await wharf(...argv, '--insecure', '--quiet')
      assert.equal(code, exitCodes.ok, stderr)
      assert.match(stderr, /^warning: the certificate of https:.* is not verified \(--insecure\).*\n$/)
    }
  })

  await t.test(
    'is trusted after a login with --ca-file, which stores it, and not after one with --insecure',
    async () => {
      const login = (...flags: string[]) =>
        run(['login', '--url', bootstrap.url, '--password-stdin', ...flags], {}, bootstrap.password)
      ok(await login('--insecure'))
      assert.equal((await run(['host', 'list'], {})).code, exitCodes.failed)
      ok(await login('--ca-file', ca))
      assert.match(ok(await run(['host', 'list'], {})), /this-node/)
      // another login keeps it
      ok(await login())
      const config = JSON.parse(readFileSync(join(folder, '.config/wharf/config.json'), 'utf8'))
      assert.deepEqual([config.profiles.default.caFile, JSON.stringify(config).includes('insecure')], [ca, false])
      ok(await run(['logout'], {}))
    },
  )

  for (const [name, path, message] of [
    ['does not exist', join(folder, 'missing.pem'), /cannot read the CA file .*missing\.pem: ENOENT/],
    ['contains no certificate', key, /server\.key contains no certificate\n {2}use a PEM file/],
    ['is damaged', join(folder, 'damaged.pem'), /certificate 1 of the CA file .*damaged\.pem is damaged/],
  ] as const)
    await t.test(`a CA file that ${name} is rejected before anything is sent`, async () => {
      const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
      writeFileSync(join(folder, 'damaged.pem'), damaged)
      const { code, stderr } = await runCaptured(['host', 'list', '--ca-file', path], { env: environmentOf(bootstrap) })
      assert.equal(code, exitCodes.usage, stderr)
      assert.match(stderr, message)
    })
})
