import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFailure, TestServer } from '@wharf/testkit'

const packageUuid = 'a'.repeat(32)
const hostUuid = 'b'.repeat(32)
const server = await TestServer.start({ after })
const times = { createDate: 0, lastOpDate: 0 }

/** An installed package on another host, which is not contacted before the refusal. */
async function installElsewhere(): Promise<void> {
  const manifest = JSON.stringify({ cluster: { initialise: { run: ['./form.sh'] } } })
  await server.app.foundation.database.transaction(async (tx) => {
    const host = { uuid: hostUuid, name: 'far', driver: 'ssh' as const, address: '198.51.100.7', sshPort: 22 }
    const known = {
      username: 'root',
      state: 'Enabled',
      status: 'Connected',
      totalCapacity: 0,
      isPackagesPathGiven: 0,
      labels: '{}',
      availableCapacity: 0,
    } as const
    await tx
      .insertInto('hosts')
      .values({ ...host, ...known, ...times })
      .execute()
    const place = { hostUuid, installPath: '/opt/cluster.tar', unzipInstallPath: '/opt/cluster' }
    await tx
      .insertInto('softwarePackages')
      .values({
        uuid: packageUuid,
        name: 'cluster',
        type: 'storage',
        ...place,
        status: 'Installed',
        size: 1,
        manifest,
        ...times,
      })
      .execute()
  })
}

const configurationOf = (uuid: string) => ({
  uuid,
  softwarePackageUuid: packageUuid,
  otherManagementIp: ['198.51.100.8', '198.51.100.9'],
  managementNetworkCidr: '198.51.100.0/24',
  publicNetworkCidr: '198.51.100.0/24',
  clusterNetworkCidr: '198.51.100.0/24',
})

test('an alert address of this machine only is refused, with the remedy, before any change', async () => {
  await installElsewhere()
  const params = { name: 'far', managementIp: '198.51.100.7' }
  const { inventory } = (await server.admin.post('/v1/cluster-plugin', { params })).body as {
    inventory: { uuid: string }
  }
  const platform = await server.admin.post(`/v1/cluster-plugin/${inventory.uuid}/alert-platform`, {})
  assert.equal(platform.status, 200, 'before the configuration it is made all the same')

  const updateClusterConfig = configurationOf(inventory.uuid)
  const refused = await server.admin.put('/v1/cluster-plugin/config/cluster', { updateClusterConfig })
  assertFailure(refused, { status: 409, code: 'SYS.1006', details: 'set WHARF_PUBLIC_URL' })
  const { body } = await server.admin.get(`/v1/software-package/${packageUuid}`)
  assert.deepEqual(
    (body.inventories as { status: string }[]).map(({ status }) => status),
    ['Installed'],
  )
  // also for a cluster that already exists
  const { database } = server.app.foundation
  await database.transaction((tx) =>
    tx
      .updateTable('clusterPlugins')
      .set({ softwarePackageUuid: packageUuid })
      .execute()
      .then(() => ({})),
  )
  await server.admin.delete(
    `/v1/zwatch/third-party/platforms/${(platform.body.thirdPartyPlatform as { uuid: string }).uuid}`,
  )
  const late = await server.admin.post(`/v1/cluster-plugin/${inventory.uuid}/alert-platform`, {})
  assertFailure(late, { status: 409, code: 'SYS.1006', details: 'set WHARF_PUBLIC_URL' })
  const tags = await server.admin.get(`/v1/system-tags?q=resourceUuid=${inventory.uuid}`)
  assert.deepEqual(tags.body.inventories, [])
})
