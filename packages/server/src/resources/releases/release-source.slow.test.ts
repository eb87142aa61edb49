import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { gzipped, installable, PackageFixture, recordIn, reverseCleanup } from '@wharf/testkit'

const cleanup = reverseCleanup({ after })

test('a release is sent to a host over SSH, installed there, and what is installed is found by it', async () => {
  const fixture = await PackageFixture.start(cleanup)
  const [host] = await fixture.addHosts(cleanup, 1)
  assert.ok(host)
  const folder = `${fixture.folder}/${host.uuid}`
  await host.machine.exec(`mkdir -p ${folder}`)
  const bytes = gzipped(installable())
  const url = fixture.source.serve('demo.tar.gz', bytes)
  const stored = recordIn(await fixture.toStorage({ url, installPath: 'demo.tar.gz' }))
  const { body } = await fixture.admin.post('/v1/releases', { params: { softwarePackageUuid: stored.uuid } })
  const { uuid: releaseUuid } = body.inventory as { uuid: string }

  const installPath = `${folder}/demo.tar.gz`
  const uploaded = await fixture.upload({ url: 'release://demo@1.0.0', hostUuid: host.uuid, installPath })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { uuid, unzipInstallPath } = recordIn(uploaded)
  assert.equal((await host.machine.exec(`sha256sum <${installPath}`)).split(' ')[0], hash('sha256', bytes, 'hex'))
  const installed = await fixture.install(uuid)
  assert.equal(installed.status, 200, installed.text)
  assert.equal(await host.machine.exec(`cat ${unzipInstallPath}/installed`), '{"config":null}')
  const q = `q=releaseUuid=${releaseUuid}&q=status=Installed`
  const found = (await fixture.admin.get(`/v1/software-package?${q}`)).body.inventories
  assert.partialDeepStrictEqual(found, [{ uuid, hostUuid: host.uuid, version: '1.0.0' }])
})
