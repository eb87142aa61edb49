import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipped, installable, PackageFixture } from '@wharf/testkit'
import { environmentOf } from './testing/captured-io.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

test('the packed command installs in an empty folder and runs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'wharf-packed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const fixture = await PackageFixture.start(t)
  const packed = join(folder, 'packed')
  const target = join(folder, 'target')
  mkdirSync(packed)
  mkdirSync(target)
  // or npm would install into a folder above that has one
  writeFileSync(join(target, 'package.json'), '{}')
  const { stdout: files } = await run(process.execPath, ['scripts/pack.ts', packed, 'cli'], { cwd: root })
  // offline: the package includes its dependencies
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', files.trim()], { cwd: target })

  // an older Node runs only main.js, which must not import anything statically
  const own = join(target, 'node_modules/@wharf/cli')
  assert.deepEqual(JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')).engines, { node: '>=20.3' })
  assert.doesNotMatch(readFileSync(join(own, 'main.js'), 'utf8'), /^(import|export .* from)\b|\bawait\b/m)

  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, ...environmentOf(fixture.server.bootstrap) }
  const wharf = async (...argv: string[]) =>
    (await run(process.execPath, [join(target, 'node_modules/.bin/wharf'), ...argv], { env, cwd: target })).stdout
  assert.match(await wharf('--version'), /^\d+\.\d+\.\d+\n$/)
  assert.match(await wharf('package', 'upload', '--help'), /Examples:/)
  assert.match(await wharf('host', 'list'), /this-node/)
  assert.match(await wharf('host', 'announce', '--print-avahi'), /service-group/)
  assert.match(await wharf('__complete', 'host', 'show', ''), /this-node/)
  const archive = join(folder, 'demo.tar.gz')
  writeFileSync(archive, gzipped(installable()))
  const { status } = JSON.parse(
    await wharf('package', 'upload', archive, '--type', 'demo', '--backup-storage', '--json'),
  )
  assert.equal(status, 'Uploaded')
})
