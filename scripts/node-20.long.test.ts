import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipped, installable, PackageFixture, reverseCleanup } from '@wharf/testkit'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'wharf-node-20-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const streamMiB = 130

const run = (program: string, argv: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(program, argv, {
    cwd: folder,
    timeout: 300_000,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  })

/** Installs this version from the registry. */
async function nodeOf(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const place = join(folder, version)
  mkdirSync(place)
  // with the user's npm settings, which may name a registry or a proxy
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', place, `${name}@${version}`])
  return join(place, 'node_modules', name, 'bin', 'node')
}

describe('the packed SDK and CLI on old versions of Node', () => {
  const cleanup = reverseCleanup({ after })
  let env: Record<string, string> = {}
  const archive = join(folder, 'demo.tar.gz')
  const command = join(folder, 'node_modules/.bin/wharf')

  before(async () => {
    const { server } = await PackageFixture.start(cleanup)
    const { url, accessKeyId, accessKeySecret } = server.bootstrap
    env = { WHARF_URL: url, WHARF_ACCESS_KEY_ID: accessKeyId, WHARF_ACCESS_KEY_SECRET: accessKeySecret }
    await promisify(execFile)(process.execPath, ['scripts/pack.ts', folder], { cwd: root })
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
    writeFileSync(archive, gzipped(installable()))
    writeFileSync(join(folder, 'program.mjs'), program)
    await run('npm', ['install', '--offline', '--no-audit', './wharf-sdk-1.0.0.tgz', './wharf-cli-1.0.0.tgz'])
  })

  for (const version of ['20.5.1', '20'])
    test(`work on Node ${version}`, async () => {
      const node = await nodeOf(version)
      const wharf = async (...argv: string[]) => (await run(node, [command, ...argv], env)).stdout
      assert.match(await wharf('--version'), /^\d+\.\d+\.\d+\n$/)
      assert.match(await wharf('doctor'), /Node 20\./)
      assert.match(await wharf('host', 'list'), /this-node/)
      assert.match(await wharf('explain', 'SYS.1003'), /^SYS\.1003\n/)
      const name = `on-${version}`
      const upload = ['package', 'upload', archive, '--type', 'demo', '--backup-storage', '--name', name]
      assert.equal(JSON.parse(await wharf(...upload, '--path', name, '--json')).status, 'Uploaded')
      assert.match(await wharf('package', 'log', name), /^Step: /)
      const { stdout } = await run(node, ['program.mjs', version], env)
      assert.equal(stdout, `${version} Uploaded ${streamMiB * 2 ** 20} UTC true\n`)
    })

  test('print the required version on Node 18', async () => {
    const node = await nodeOf('18')
    const refusal = (...argv: string[]) =>
      run(node, argv, env).then(
        () => assert.fail('it started'),
        ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr}`,
      )
    assert.match(await refusal(command, 'host', 'list'), /^1 wharf needs Node 20\.3 or newer; this is Node 18\S+\n$/)
    assert.match(await refusal('program.mjs', '18'), /Error: @wharf\/sdk needs Node 20\.3 or newer/)
  })
})

/** A stream of unknown length, a job, a list, a time and events. */
const program = `
import { Wharf } from '@wharf/sdk'
import { queryTag } from '@wharf/sdk/contract'
const { WHARF_URL: url, WHARF_ACCESS_KEY_ID: id, WHARF_ACCESS_KEY_SECRET: secret } = process.env
const [, , name] = process.argv
const wharf = new Wharf({ url, accessKey: { id, secret } })
const zeros = async function* () {
  for (let count = 0; count < ${streamMiB}; count++) yield new Uint8Array(2 ** 20)
}
const target = { name: 'zeros', type: 'demo', toBackupStorage: true, installPath: 'zeros-' + name }
const { status, size } = await wharf.upload(zeros(), target).done
setTimeout(() => wharf.tags.create({ name }), 200)
for await (const { resourceType } of wharf.events()) if (resourceType === 'Tag') break
const { inventories: [tag] } = await wharf.call(queryTag, { q: ['name=' + name] })
console.log(tag.name, status, size, wharf.timeZone, Date.now() - wharf.toDate(tag.createDate) < 60_000)
`
