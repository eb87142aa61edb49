import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  authorizeEachOther,
  hostsNeedRoot,
  PackageFixture,
  recordIn,
  reverseCleanup,
  type TestHost,
} from '@wharf/testkit'
import { clusterPackage } from '@wharf/testkit/packages/cluster-package.ts'

interface Plugin {
  uuid: string
  managementIp: string
  apiPort: number
}

suite('a cluster on three hosts', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: PackageFixture
  let machines: readonly TestHost[] = []
  let packageUuid = ''
  const first = (): TestHost => machines[0] as TestHost

  before(async () => {
    fixture = await PackageFixture.start(cleanup, {
      environment: { WHARF_PUBLIC_URL: 'http://198.18.255.1:8080/wharf' },
    })
    const hosts = await fixture.addHosts(cleanup, 3)
    machines = hosts.map(({ machine }) => machine)
    await authorizeEachOther(machines)
    const url = fixture.source.serve('cluster.tar', clusterPackage())
    const done = await fixture.upload({
      url,
      hostUuid: hosts[0]?.uuid,
      type: 'storage',
      installPath: '/opt/cluster.tar',
    })
    assert.equal(done.status, 200, done.text)
    packageUuid = recordIn(done).uuid
    assert.equal((await fixture.install(packageUuid)).status, 200)
  })

  const add = async (params: object = {}): Promise<Plugin> => {
    const { address: managementIp } = first()
    const added = await fixture.admin.post('/v1/cluster-plugin', { params: { name: 'etcd', managementIp, ...params } })
    assert.equal(added.status, 200, added.text)
    return added.body.inventory as Plugin
  }
  const configure = (uuid: string, change: object = {}): Promise<Answer> => {
    const [, ...others] = machines.map(({ address }) => address)
    const cidr = `${first().address.split('.').slice(0, 2).join('.')}.0.0/16`
    const networks = { managementNetworkCidr: cidr, publicNetworkCidr: cidr, clusterNetworkCidr: cidr }
    const fields = { uuid, softwarePackageUuid: packageUuid, otherManagementIp: others, ...networks, ...change }
    return fixture.admin.put('/v1/cluster-plugin/config/cluster', { updateClusterConfig: fields })
  }
  const statusOfPackage = async (): Promise<string> => (await fixture.get(packageUuid)).status

  test('resumes after a failure, forms a cluster with a token and alerts, and is removed', async () => {
    const plugin = await add()
    assert.equal(plugin.apiPort, 8056)

    // one node refuses the SSH keys of the others
    const [, second] = machines as [TestHost, TestHost]
    await second.exec('mv /root/.ssh/id_ed25519 /root/key')
    const unreached = await configure(plugin.uuid)
    assertFailure(unreached, { status: 502, code: 'ClusterPlugin.1003', details: `${second.address} → ` })
    assert.equal(await statusOfPackage(), 'InitializeFailed')
    assert.equal(await first().exec('cat /var/lib/cluster/trace 2>/dev/null || true'), '')
    await second.exec('mv /root/key /root/.ssh/id_ed25519')

    // the program fails once, and the next call resumes with it
    await first().exec('mkdir -p /var/lib/cluster && touch /var/lib/cluster/fail-once')
    assertFailure(await configure(plugin.uuid), { status: 502, code: 'ClusterPlugin.1002', details: 'exit code 3' })
    const created = await fixture.admin.post(`/v1/cluster-plugin/${plugin.uuid}/alert-platform`, {})
    assert.equal(created.status, 200, created.text)
    const formed = await configure(plugin.uuid)
    assert.deepEqual(
      [formed.status, formed.body.clusterInitSuccess, formed.body.tokenCreated, formed.body.initSuccess],
      [200, true, true, true],
      formed.text,
    )
    assert.equal(await statusOfPackage(), 'Initialized')
    const trace = (await first().exec('cat /var/lib/cluster/trace')).trim().split('\n')
    assert.deepEqual(
      trace.map((line) => line.split(' ')[0]),
      ['initialise', 'initialise', 'check', 'token', 'alerts'],
    )
    const platform = created.body.thirdPartyPlatform as { uuid: string; url: string; name: string; type: string }
    assert.deepEqual([platform.name, platform.type], ['etcd alerts', 'Alertmanager'])
    assert.equal(platform.url, `http://198.18.255.1:8080/wharf/v1/zwatch/third-party/platforms/${platform.uuid}/alerts`)
    assert.ok(trace[4]?.includes(platform.url))
    assertFailure(await fixture.admin.post(`/v1/cluster-plugin/${plugin.uuid}/alert-platform`, {}), {
      status: 409,
      code: 'SYS.1002',
    })

    // the same configuration changes nothing; another one is refused
    assert.equal((await configure(plugin.uuid)).body.initSuccess, true)
    assertFailure(await configure(plugin.uuid, { username: 'root' }), { status: 409, code: 'SYS.1006' })
    assert.equal((await first().exec('cat /var/lib/cluster/trace')).trim().split('\n').length, 5)

    // the password was generated, and is shown once
    const reveal = () => fixture.admin.put(`/v1/cluster-plugin/${plugin.uuid}/actions`, { revealCredential: {} })
    const { username, password } = (await reveal()).body as { username: string; password: string }
    assert.equal(username, 'admin')
    assert.ok(trace[0]?.includes(JSON.stringify(password)))
    assertFailure(await reveal(), { status: 409, code: 'SYS.1005' })
    const { body: tags } = await fixture.admin.get(`/v1/system-tags?q=resourceUuid=${plugin.uuid}`)
    assert.ok(!JSON.stringify(tags).includes(password))

    // a package with a plugin cannot be removed
    assertFailure(await fixture.remove(packageUuid), { status: 409, code: 'SYS.1004' })
    assertFailure(await fixture.uninstall(packageUuid), { status: 409, code: 'SYS.1006' })

    // it is removed only by force while its alerts cannot be detached
    await first().exec('touch /var/lib/cluster/fail-alerts')
    assertFailure(await fixture.admin.delete(`/v1/cluster-plugin/${plugin.uuid}`), { status: 409, code: 'SYS.1004' })
    const gone = await fixture.admin.delete(`/v1/cluster-plugin/${plugin.uuid}`, { deleteMode: 'Enforcing' })
    assert.deepEqual([gone.status, gone.body], [200, {}])
    assert.deepEqual((await fixture.admin.get('/v1/cluster-plugin/alert-platform')).body.inventories, [])
    assert.equal(await first().exec('test -d /var/lib/cluster/data && echo there'), 'there\n')

    // the same configuration attaches the cluster again with its password, without forming it
    await first().exec('rm /var/lib/cluster/fail-alerts')
    const again = await add()
    const other = { publicNetworkCidr: `${first().address}/32`, username: 'root' }
    assertFailure(await configure(again.uuid, other), {
      status: 409,
      code: 'SYS.1006',
      details: 'formed with another publicNetworkCidr, gatewayNetworkCidr, username; repeat the configuration',
    })
    const reattached = await configure(again.uuid)
    assert.deepEqual([reattached.status, reattached.body.initSuccess], [200, true], reattached.text)
    assert.equal(await statusOfPackage(), 'Initialized')
    const later = (await first().exec('cat /var/lib/cluster/trace')).trim().split('\n').slice(trace.length)
    assert.deepEqual(
      later.map((line) => line.split(' ')[0]),
      ['check', 'token'],
    )
    assert.ok(later[0]?.includes(JSON.stringify(password)))
    assert.equal((await fixture.admin.delete(`/v1/cluster-plugin/${again.uuid}`)).status, 200)

    // 1.0 stored nothing about the cluster of a removed plugin: the password attaches it, and no cluster is formed
    await fixture.server.app.foundation.database.transaction((tx) =>
      tx.updateTable('softwarePackages').set({ sealedCluster: null }).where('uuid', '=', packageUuid).execute(),
    )
    const unknown = await add()
    assertFailure(await configure(unknown.uuid), { status: 409, code: 'SYS.1006', details: 'password of its cluster' })
    assert.equal((await configure(unknown.uuid, { password })).body.initSuccess, true)
    const last = (await first().exec('cat /var/lib/cluster/trace'))
      .trim()
      .split('\n')
      .slice(trace.length + later.length)
    assert.deepEqual(
      last.map((line) => line.split(' ')[0]),
      ['check', 'token'],
    )
    assert.equal((await fixture.admin.delete(`/v1/cluster-plugin/${unknown.uuid}`)).status, 200)
    assert.equal(recordIn(await fixture.uninstall(packageUuid)).status, 'Uploaded')
  })
})
