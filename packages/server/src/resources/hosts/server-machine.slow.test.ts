import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newUuid } from '@wharf/platform/ids.ts'
import {
  type Answer,
  assertFailure,
  assertUnchanged,
  type Client,
  installable,
  PackageFixture,
  recordIn,
  tusPatch,
} from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives/tar-builder.ts'

const fixture = await PackageFixture.start({ after })
const { server, source, folder, admin } = fixture
const { hostUuid, managementNodeUuid } = server.bootstrap
const { database } = server.app.foundation
const operator = await server.signIn('operator')

const trace = join(folder, 'trace')
const script = (name: string) => ({ ...file(`${name}.sh`, `#!/bin/sh\necho ${name} >>${trace}\n`), mode: 0o755 })
const run = (name: string) => ({ run: [`./${name}.sh`] })
const hooks = ['install', 'uninstall', 'initialise', 'check', 'alerts']
function componentAt(apiPort: number): Buffer {
  const cluster = { apiPort, initialise: run('initialise'), check: run('check'), alerts: run('alerts') }
  const named = { name: 'component', version: '1', type: 'storage' }
  const manifest = { ...named, install: run('install'), uninstall: run('uninstall'), cluster }
  return tarOf(file('wharf.json', JSON.stringify(manifest)), ...hooks.map(script))
}
const apiPort = 8123
const component = componentAt(apiPort)
const url = source.serve('component.tar', component)
const plain = source.serve('plain.tar', installable({ hooks: { install: `echo plain >>${trace}` } }))

const uuidIn = ({ body, text }: Answer): string => {
  assert.ok(body.inventory, text)
  return (body.inventory as { uuid: string }).uuid
}
const place = (name: string) => ({ hostUuid, managementNodeUuid, name: 'demo', installPath: join(folder, name) })
const uploaded = recordIn(
  await fixture.upload({ url, type: 'storage', installPath: join(folder, 'uploaded.tar') }),
).uuid
const stored = recordIn(await fixture.toStorage({ url: plain, installPath: 'plain.tar' })).uuid
const storedHere = recordIn(await fixture.toStorage({ url: plain, installPath: 'here.tar' })).uuid
await fixture.install(storedHere, { hostUuid })
const installed = recordIn(await fixture.upload({ url, type: 'storage', installPath: join(folder, 'in.tar') })).uuid
await fixture.install(installed)
const configured = uuidIn(await admin.post('/v1/cluster-plugin', { params: { name: 'configured', apiPort: 8124 } }))
await database.transaction((tx) =>
  tx.updateTable('clusterPlugins').set({ softwarePackageUuid: installed }).where('uuid', '=', configured).execute(),
)
const migrate = recordIn(await fixture.toStorage({ url: plain, installPath: 'migrate.tar' })).uuid
const vm = newUuid()
const now = Date.now()

/** A package of type Migrate that has a VM on this machine, as if an admin had made it. */
await database.transaction(async (tx) => {
  await tx.updateTable('softwarePackages').set({ type: 'Migrate' }).where('uuid', '=', migrate).execute()
  const size = { cpu: 1, memoryBytes: 1, network: null, description: null, imageUuid: null }
  const row = { uuid: vm, name: 'vm', role: 'gateway' as const, hostUuid, packageUuid: migrate, ...size }
  await tx
    .insertInto('gatewayVms')
    .values({ ...row, status: 'Ready', createDate: now, lastOpDate: now })
    .execute()
})

/** Reached over ssh; nothing answers there. */
const elsewhere = newUuid()
await database.transaction(async (tx) => {
  const here = await tx.selectFrom('hosts').selectAll().where('uuid', '=', hostUuid).executeTakeFirstOrThrow()
  const ssh = { driver: 'ssh' as const, address: '127.0.0.1', sshPort: 1, username: 'root', managementNodeUuid: null }
  await tx
    .insertInto('hosts')
    .values({ ...here, ...ssh, uuid: elsewhere, name: 'elsewhere' })
    .execute()
})

const cluster = {
  uuid: configured,
  softwarePackageUuid: installed,
  managementIp: '127.0.0.1',
  otherManagementIp: ['127.0.0.2', '127.0.0.3'],
  managementNetworkCidr: '127.0.0.0/8',
  publicNetworkCidr: '127.0.0.0/8',
  clusterNetworkCidr: '127.0.0.0/8',
}
const dashed = hostUuid.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const upload = (as: Client, params: object, more: object = {}) =>
  as.post('/v1/software-packages/upload', { params: { type: 'demo', ...params }, ...more })
const install = (as: Client, uuid: string, config: object = {}) =>
  as.put(`/v1/software-package/install/${uuid}/actions`, {
    installSoftwarePackage: { config: JSON.stringify(config) },
  })
const addPlugin = (as: Client, params: object) =>
  as.post('/v1/cluster-plugin', { params: { name: 'taken', adminToken: 'a token', ...params } })

const work: Record<string, (as: Client) => Promise<Answer>> = {
  'an upload from an address': (as) => upload(as, { ...place('a.tar'), url }),
  'an upload in slices': (as) => upload(as, { ...place('b.tar'), url: 'upload://b.tar?size=10' }),
  'an upload from a file': (as) => upload(as, { ...place('c.tar'), url: `file://${folder}/uploaded.tar` }),
  'an upload described by a tag': (as) =>
    as.post('/v1/software-packages/upload', {
      systemTags: [`uploadConfig::${JSON.stringify({ ...place('d.tar'), type: 'demo', url })}`],
    }),
  'an upload to the host under another form of its uuid': (as) =>
    upload(as, { ...place('e.tar'), hostUuid: dashed, url }),
  installing: (as) => install(as, uploaded),
  'installing from backup storage': (as) => install(as, stored, { hostUuid }),
  'installing from backup storage, with another form of the uuid': (as) => install(as, stored, { hostUuid: dashed }),
  'installing from backup storage, described by a tag': (as) =>
    as.put(`/v1/software-package/install/${stored}/actions`, {
      installSoftwarePackage: {},
      systemTags: [`installConfig::${JSON.stringify({ config: JSON.stringify({ hostUuid }) })}`],
    }),
  'installing elsewhere what has a VM here': (as) => install(as, migrate, { hostUuid: elsewhere }),
  uninstalling: (as) => as.put(`/v1/software-package/${installed}/actions`, { uninstallSoftwarePackage: {} }),
  'uninstalling what is from backup storage': (as) =>
    as.put(`/v1/software-package/${storedHere}/actions`, { uninstallSoftwarePackage: {} }),
  'deleting a package': (as) => as.delete(`/v1/software-package/${uploaded}`),
  'deleting a package at all costs': (as) => as.delete(`/v1/software-package/${uploaded}?deleteMode=Enforcing`),
  'deleting what has a VM here at all costs': (as) => as.delete(`/v1/software-package/${migrate}?deleteMode=Enforcing`),
  'configuring a cluster': (as) => as.put('/v1/cluster-plugin/config/cluster', { updateClusterConfig: cluster }),
  'creating the alert platform of a cluster': (as) => as.post(`/v1/cluster-plugin/${configured}/alert-platform`, {}),
  'removing a cluster': (as) => as.delete(`/v1/cluster-plugin/${configured}`),
  'removing a cluster at all costs': (as) => as.delete(`/v1/cluster-plugin/${configured}?deleteMode=Enforcing`),
  'creating a gateway VM': (as) => as.post('/v1/migrate/vm-instances', { params: { name: 'g', hostUuid } }),
  'deleting a gateway VM': (as) => as.delete(`/v1/migrate/vm-instances/${vm}`),
  'deleting a gateway VM at all costs': (as) => as.delete(`/v1/migrate/vm-instances/${vm}?deleteMode=Enforcing`),
}
const refusal = {
  status: 403,
  code: 'ID.1002',
  details: 'host this-node (127.0.0.1) is the machine of a management node',
}

for (const [name, send] of Object.entries(work))
  test(`on the machine of the server ${name} requires an admin`, () =>
    assertUnchanged(fixture, async () => assertFailure(await send(operator), refusal)))

test('only for an admin does a package on the machine of the server test a token', async () => {
  const before = await database.read.selectFrom('clusterPlugins').selectAll().execute()
  assertFailure(await addPlugin(operator, { managementIp: '127.0.0.1', apiPort }), refusal)
  // a component elsewhere, which that package could check too
  const other = await addPlugin(operator, { managementIp: '127.0.0.9', apiPort })
  assertFailure(other, { status: 409, code: 'ClusterPlugin.1001' })
  assert.deepEqual(await database.read.selectFrom('clusterPlugins').selectAll().execute(), before)
  assert.doesNotMatch(readFileSync(trace, 'utf8'), /check/)
})

test('only for an admin does a package on the machine of the server attach alerts', async (t) => {
  const running = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  t.after(() => void running.close())
  await once(running, 'listening')
  const { port } = running.address() as AddressInfo
  const late = uuidIn(await addPlugin(admin, { name: 'late', managementIp: '127.0.0.1', apiPort: port }))
  const served = source.serve('late.tar', componentAt(port))
  const installPath = join(folder, 'late-component.tar')
  await fixture.install(recordIn(await fixture.upload({ url: served, type: 'storage', installPath })).uuid)
  assertFailure(await operator.post(`/v1/cluster-plugin/${late}/alert-platform`, {}), refusal)
  assert.doesNotMatch(readFileSync(trace, 'utf8'), /check|alerts/)
})

test('on another host all of it requires an operator', async () => {
  const there = { ...place('f.tar'), hostUuid: elsewhere }
  for (const send of [
    () => upload(operator, { ...there, url: 'upload://f.tar?size=10' }),
    () => upload(operator, { ...there, installPath: '/srv/g.tar', url }),
    () => install(operator, stored, { hostUuid: elsewhere }),
  ]) {
    const { status, text } = await send()
    assert.notEqual(status, 403, text)
  }
})

test('a former admin whose slice arrives writes nothing to the machine of the server', async () => {
  const former = await server.signIn('admin', 'former')
  const opened = await upload(former, { ...place('late.tar'), url: `upload://late.tar?size=${component.length}` })
  const address = String((opened.body.systemTags as string[])[0]).replace(/^uploadUrl::/, '')
  await admin.put(`/v1/users/${former.accountUuid}/actions`, { updateUser: { role: 'operator' } })
  assert.equal((await tusPatch(address, 0, component)).status, 403)
  assert.equal((await fixture.get(recordIn(opened).uuid)).status, 'Uploading')
  assert.equal(existsSync(join(folder, 'late.tar')), false)
})
