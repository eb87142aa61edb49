import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { installable, PackageFixture } from '@wharf/testkit'
import { environmentOf, freshHome, runCaptured } from './testing/captured-io.ts'

test('show prints the reason of a failed package and job', async (t) => {
  const fixture = await PackageFixture.start(t)
  const env = environmentOf(fixture.server.bootstrap)
  const home = freshHome(t)
  const wharf = (...argv: string[]) => runCaptured(argv, { env, home })
  const archive = join(fixture.folder, 'broken.tar')
  writeFileSync(archive, installable({ hooks: { install: 'echo no disk here >&2; exit 7' } }))
  const target = ['--host', 'this-node', '--path', join(fixture.folder, 'target', 'broken.tar')]
  assert.equal((await wharf('package', 'upload', archive, '--type', 'demo', ...target)).code, 0)
  assert.equal((await wharf('package', 'install', 'broken')).code, 1)

  const { stdout } = await wharf('package', 'show', 'broken')
  assert.match(stdout, /^status +InstallFailed$/m)
  assert.match(stdout, /^host +this-node$/m)
  assert.match(stdout, /^reason +SoftwarePackage\.1300 [\s\S]*no disk here/m)
  const [, job = ''] = /^job +([0-9a-f]{32})$/m.exec(stdout) ?? []
  const shown = (await wharf('job', 'show', job)).stdout
  assert.match(shown, /^state +Failed$/m)
  assert.match(shown, /^reason +SoftwarePackage\.1300 [\s\S]*no disk here/m)
  const record = JSON.parse((await wharf('job', 'show', job, '--json')).stdout)
  assert.deepEqual([record.uuid, 'reason' in record], [job, false])

  const repeated = await wharf('job', 'retry', job)
  assert.equal(repeated.code, 1)
  assert.match(repeated.stderr, /SoftwarePackage\.1300/)
  const { stdout: newest } = await wharf('job', 'list', '--limit', '1', '--columns', 'job,state')
  assert.match(newest, /\nInstall broken 1\.0\.0 on this-node +Failed\n$/)

  const unhealthy = join(fixture.folder, 'unhealthy.tar')
  const verify = `test ! -e ${fixture.folder}/fail || { echo port 80 is refused; exit 1; }`
  writeFileSync(unhealthy, installable({ hooks: { install: 'cat >/dev/null', verify } }))
  const place = ['--host', 'this-node', '--path', join(fixture.folder, 'target', 'unhealthy.tar')]
  assert.equal((await wharf('package', 'upload', unhealthy, '--type', 'demo', ...place)).code, 0)
  assert.equal((await wharf('package', 'install', 'unhealthy')).code, 0)
  assert.match((await wharf('package', 'show', 'unhealthy')).stdout, /^healthError +-$/m)
  writeFileSync(join(fixture.folder, 'fail'), '')
  assert.equal((await wharf('package', 'verify', 'unhealthy')).code, 1)
  const { stdout: reported } = await wharf('package', 'show', 'unhealthy')
  assert.match(reported, /^healthError +SoftwarePackage\.1300 .*port 80 is refused$/m)
  assert.match(reported, /^job +[0-9a-f]{32}$/m)
})
