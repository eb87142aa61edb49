import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PackageRecord, reverseCleanup, startHosts } from '@wharf/testkit'
import { Fleet } from './testing/fleet.ts'

const cleanup = reverseCleanup({ after })

test('on hosts with sshd, a failure in the second wave restores the digest and the configuration of every host', async () => {
  const fixture = await Fleet.start(cleanup)
  const machines = await startHosts(cleanup, 3)
  const { admin, source, folder } = fixture
  const publish = (url: string) => fixture.publish(url)
  const fleet = await Fleet.create({ admin, source, folder, publish, machines }, 3)
  const release = await fleet.publish('1.0.0')
  await fleet.until(await fleet.create('1.0.0', { config: { at: '{{ host.name }}' } }), 'Succeeded')
  /** By the files of the hosts: what is installed with which configuration, and the SHA-256 of its archive. */
  const found = async (): Promise<string[]> => {
    const { body } = await admin.get(`/v1/software-package?q=hostUuid?=${[...fleet.hosts.values()]}&q=status=Installed`)
    const packages = body.inventories as PackageRecord[]
    return Promise.all(
      [...fleet.hosts].map(async ([name, hostUuid], index) => {
        const { installPath = '' } = packages.find((one) => one.hostUuid === hostUuid) ?? {}
        const [digest] = ((await machines[index]?.exec(`sha256sum '${installPath}'`)) ?? '').split(' ')
        return `${fleet.installed(name)} ${digest}`
      }),
    )
  }
  const before = await found()
  const { body } = await admin.get(`/v1/releases/${release}`)
  const [{ sha256 }] = body.inventories as [{ sha256: string }]
  assert.deepEqual(
    before,
    [1, 2, 3].map((number) => `1.0.0 {"config":{"at":"${fleet.software}-web-${number}"}} ${sha256}`),
  )
  await fleet.publish('2.0.0')
  fleet.set('web-2', 'fail', 'install-2.0.0')
  const uuid = await fleet.create('2.0.0', { waves: ['1', '2', '100%'], onFailure: 'rollBackAll' })
  await fleet.until(uuid, 'RolledBack')
  assert.equal(await fleet.states(uuid), 'web-1 RolledBack, web-2 Failed, web-3 Skipped')
  const both = ['install 1.0.0', 'uninstall 1.0.0', 'install 2.0.0', 'uninstall 2.0.0', 'install 1.0.0']
  assert.deepEqual(
    [...fleet.hosts.keys()].map((name) => fleet.record(name)),
    [both, both, ['install 1.0.0']],
  )
  assert.deepEqual(await found(), before)
})
