import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Answer,
  assertFailure,
  ChatReceiver,
  hostsNeedRoot,
  letInEachOther,
  PackageWorld,
  recordIn,
  reverseCleanup,
  startHosts,
  type TestHost,
  testEngine,
} from '@wharf/testkit'
import { buildPackage } from '../../../../scripts/build-packages.ts'

// on PostgreSQL it takes its time with the other long ones
if (testEngine !== 'sqlite' && !process.env.TEST_LONG) process.exit(0)

const person = '13800138000'
const messageMs = 30_000

const inventoryOf = <T>({ status, body, text }: Answer): T => {
  assert.equal(status, 200, text)
  return body.inventory as T
}

test('from three bare hosts to a message in the right chat', { skip: hostsNeedRoot }, async (t) => {
  const cleanup = reverseCleanup({ after })
  const machines = await startHosts(cleanup, 3)
  const [first, , third] = machines as [TestHost, TestHost, TestHost]
  // where the hosts reach this machine
  const bridge = first.address.replace(/\d+$/, '1')
  const world = await PackageWorld.start(cleanup, { environment: { WHARF_HOST: bridge } })
  const receiver = await ChatReceiver.start(cleanup)
  const { admin } = world
  let pluginUuid = ''
  let packageUuid = ''

  await t.test('the hosts are added, and know each other', async () => {
    for (const { hostname: name, address, username, privateKey } of machines) {
      const params = { name, driver: 'ssh', address, username, privateKey }
      inventoryOf(await admin.post('/v1/hosts', { params }))
    }
    await letInEachOther(machines)
  })

  await t.test('the package is uploaded and installed', async () => {
    const folder = fileURLToPath(new URL('../../../../examples/packages/etcd-cluster', import.meta.url))
    const archive = await buildPackage(folder, world.folder)
    const { body } = await admin.get(`/v1/hosts?q=address=${first.address}`)
    const [host] = body.inventories as { uuid: string }[]
    const installPath = '/opt/packages/etcd-cluster.tar.gz'
    const uploaded = await world.upload({
      url: `file://${archive}`,
      type: 'storage',
      installPath,
      hostUuid: host?.uuid,
    })
    assert.equal(uploaded.status, 200, uploaded.text)
    packageUuid = recordIn(uploaded).uuid
    const installed = await world.install(packageUuid)
    assert.equal(installed.status, 200, installed.text)
  })

  await t.test('the plugin is added, with a platform for its alerts and a chat that mentions a person', async () => {
    const params = { name: 'etcd', managementIp: first.address }
    pluginUuid = inventoryOf<{ uuid: string }>(await admin.post('/v1/cluster-plugin', { params })).uuid
    const platform = await admin.post(`/v1/cluster-plugin/${pluginUuid}/alert-platform`, {})
    assert.equal(platform.status, 200, platform.text)
    const chat = { name: 'on call', type: 'DingTalk', url: receiver.hook('DingTalk', 'token') }
    const created = await admin.post('/v1/sns/application-endpoints/chatapp', { params: chat })
    const { uuid: endpointUuid } = inventoryOf<{ uuid: string }>(created)
    const at = { params: { userId: person, endpointUuid, remark: 'the one on call' } }
    inventoryOf(await admin.post('/v1/sns/application-endpoints/chatapp/at-persons', at))
  })

  await t.test('the cluster forms, and a token is made', async () => {
    const cidr = first.address.replace(/\d+$/, '0/24')
    const networks = { managementNetworkCidr: cidr, publicNetworkCidr: cidr, clusterNetworkCidr: cidr }
    const otherManagementIp = machines.slice(1).map(({ address }) => address)
    const fields = { uuid: pluginUuid, softwarePackageUuid: packageUuid, otherManagementIp, ...networks }
    const formed = await admin.put('/v1/cluster-plugin/config/cluster', { updateClusterConfig: fields })
    const { clusterInitSuccess, tokenCreated } = formed.body
    assert.deepEqual([formed.status, clusterInitSuccess, tokenCreated], [200, true, true], formed.text)
    assert.equal((await world.get(packageUuid)).status, 'Initialized')
  })

  /** The next message whose text fits. */
  const message = async (says: RegExp): Promise<{ markdown: { text: string }; at: { atMobiles?: string[] } }> => {
    for (const until = performance.now() + messageMs; performance.now() < until; await delay(100)) {
      const found = receiver.requests.find(({ body }) => says.test(body))
      if (found) return JSON.parse(found.body)
    }
    throw new Error(`no such message among ${receiver.requests.map(({ body }) => body).join('\n')}`)
  }

  await t.test('a node dies, and the chat hears of it, with the person mentioned', async () => {
    await third.exec('/opt/etcd-cluster/service.sh stop etcd')
    const { markdown, at } = await message(/EtcdMemberDown/)
    assert.ok(markdown.text.includes(`@${person}`) && markdown.text.includes(third.address), markdown.text)
    assert.deepEqual(at.atMobiles, [person])
  })

  await t.test('the node is back, and the chat hears of that too', async () => {
    await third.exec('/opt/etcd-cluster/service.sh start etcd')
    const { markdown } = await message(/Resolved/i)
    assert.ok(markdown.text.includes(third.address), markdown.text)
    const { body } = await admin.get('/v1/zwatch/third-party/alerts?sort=createDate')
    const alerts = body.inventories as { status: string }[]
    assert.deepEqual(
      alerts.map(({ status }) => status),
      ['firing', 'resolved'],
    )
  })

  await t.test('the plugin goes, and comes back for whoever has a token of the cluster', async () => {
    const reveal = await admin.put(`/v1/cluster-plugin/${pluginUuid}/actions`, { revealCredential: {} })
    const { username, password } = reveal.body as { username: string; password: string }
    const signIn = JSON.stringify({ name: username, password })
    const answer = await first.exec(`curl -s -d '${signIn}' http://${first.address}:2379/v3/auth/authenticate`)
    const { token } = JSON.parse(answer) as { token: string }
    const gone = await admin.delete(`/v1/cluster-plugin/${pluginUuid}`)
    assert.equal(gone.status, 200, gone.text)

    // etcd answers /health to anybody: only the package's own check can tell
    const takeOver = (adminToken: string) =>
      admin.post('/v1/cluster-plugin', {
        params: { name: 'etcd', managementIp: first.address, apiPort: 2379, adminToken },
      })
    const foreign = `${token.slice(0, -4)}AAAA`
    assertFailure(await takeOver(foreign), { status: 409, code: 'ClusterPlugin.1001', details: 'refused the token' })
    const { uuid } = inventoryOf<{ uuid: string }>(await takeOver(token))
    assert.equal((await admin.delete(`/v1/cluster-plugin/${uuid}`)).status, 200)
  })

  await t.test('the software goes, the cluster keeps its data', async () => {
    assert.equal((await world.uninstall(packageUuid)).status, 200)
    assert.equal(await first.exec('test -d /var/lib/etcd-cluster && echo there'), 'there\n')
  })
})
