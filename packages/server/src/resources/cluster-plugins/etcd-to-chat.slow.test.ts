import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type Answer,
  assertFailure,
  authorizeEachOther,
  ChatReceiver,
  hostsNeedRoot,
  PackageFixture,
  recordIn,
  reverseCleanup,
  startHosts,
  type TestHost,
} from '@wharf/testkit'
import { buildPackage } from '../../../../../scripts/build-packages.ts'

/** Whom each kind of chat mentions, and the notation in its message. */
const people = {
  DingTalk: { userId: '13800138000', mention: '@13800138000' },
  WeCom: { userId: 'zhangsan', mention: '<@zhangsan>' },
  FeiShu: {
    userId: 'ou_7d8a6e6df7621556ce0d21922b676706',
    mention: '<at id=ou_7d8a6e6df7621556ce0d21922b676706></at>',
  },
  Slack: { userId: 'U024BE7LH', mention: '<@U024BE7LH>' },
  Teams: { userId: 'ann@example.com', mention: '<at>' },
} as const
const messageMs = 30_000
const scenarioTimeoutMs = 300_000
const data = '/var/lib/etcd-cluster'
/** Most of the time, for what the other tests of this folder show without a real etcd. */
const isLong = process.env.TEST_LONG !== undefined

const inventoryOf = <T>({ status, body, text }: Answer): T => {
  assert.equal(status, 200, text)
  return body.inventory as T
}

test('from three bare hosts to a message in the right chat', {
  skip: hostsNeedRoot,
  timeout: scenarioTimeoutMs,
}, async (t) => {
  const cleanup = reverseCleanup({ after })
  const machines = await startHosts(cleanup, 3)
  const [first, , third] = machines as [TestHost, TestHost, TestHost]
  // the address of this machine for the hosts
  const bridge = first.address.replace(/\d+$/, '1')
  const fixture = await PackageFixture.start(cleanup, { environment: { WHARF_HOST: bridge } })
  const receiver = await ChatReceiver.start(cleanup)
  const { admin } = fixture
  let pluginUuid = ''
  /** The password that the cluster was formed with. */
  let known = ''
  let packageUuid = ''

  await t.test('the hosts are added and can sign in to each other', async () => {
    for (const { hostname: name, address, username, privateKey } of machines) {
      const params = { name, driver: 'ssh', address, username, privateKey }
      inventoryOf(await admin.post('/v1/hosts', { params }))
    }
    await authorizeEachOther(machines)
  })

  await t.test('the package is uploaded and installed', async () => {
    const folder = fileURLToPath(new URL('../../../../../examples/packages/etcd-cluster', import.meta.url))
    const archive = await buildPackage(folder, fixture.folder)
    const { body } = await admin.get(`/v1/hosts?q=address=${first.address}`)
    const [host] = body.inventories as { uuid: string }[]
    const installPath = '/opt/packages/etcd-cluster.tar.gz'
    const uploaded = await fixture.upload({
      url: `file://${archive}`,
      type: 'storage',
      installPath,
      hostUuid: host?.uuid,
    })
    assert.equal(uploaded.status, 200, uploaded.text)
    packageUuid = recordIn(uploaded).uuid
    const installed = await fixture.install(packageUuid)
    assert.equal(installed.status, 200, installed.text)
  })

  await t.test('the plugin is added, with a platform for its alerts and a chat that mentions a person', async () => {
    const params = { name: 'etcd', managementIp: first.address }
    pluginUuid = inventoryOf<{ uuid: string }>(await admin.post('/v1/cluster-plugin', { params })).uuid
    const platform = await admin.post(`/v1/cluster-plugin/${pluginUuid}/alert-platform`, {})
    assert.equal(platform.status, 200, platform.text)
    for (const [type, { userId }] of Object.entries(people)) {
      const chat = { name: `on call, ${type}`, type, url: receiver.webhookUrl(type, type) }
      const created = await admin.post('/v1/sns/application-endpoints/chatapp', { params: chat })
      const { uuid: endpointUuid } = inventoryOf<{ uuid: string }>(created)
      const at = { params: { userId, endpointUuid, remark: 'the one on call' } }
      inventoryOf(await admin.post('/v1/sns/application-endpoints/chatapp/at-persons', at))
    }
  })

  const configure = (change: object = {}) => {
    const cidr = first.address.replace(/\d+$/, '0/24')
    const networks = { managementNetworkCidr: cidr, publicNetworkCidr: cidr, clusterNetworkCidr: cidr }
    const otherManagementIp = machines.slice(1).map(({ address }) => address)
    const fields = { uuid: pluginUuid, softwarePackageUuid: packageUuid, otherManagementIp, ...networks, ...change }
    return admin.put('/v1/cluster-plugin/config/cluster', { updateClusterConfig: fields })
  }

  await t.test('a node with other data is refused and named', async () => {
    await third.exec(`mkdir ${data} && echo precious >${data}/file`)
    const refused = await configure()
    const details = `${third.address} holds foreign data`
    assertFailure(refused, { status: 502, code: 'ClusterPlugin.1002', details })
    assert.equal(await third.exec(`cat ${data}/file && rm -r ${data}`), 'precious\n')
  })

  await t.test('a network that contains no node is refused, with every node', async () => {
    const refused = await configure({ publicNetworkCidr: '203.0.113.0/24' })
    for (const { address } of machines)
      assertFailure(refused, {
        status: 400,
        code: 'SYS.1007',
        details: `node ${address} has no address in publicNetworkCidr 203.0.113.0/24 (it has `,
      })
    const storage = await configure({ otherStorageIp: [first.address.replace(/\d+$/, '222')] })
    assertFailure(storage, { status: 502, code: 'ClusterPlugin.1003', details: `${first.address} → ` })
  })

  await t.test('the cluster forms, and a token is created', async () => {
    const formed = await configure()
    const { clusterInitSuccess, tokenCreated } = formed.body
    assert.deepEqual([formed.status, clusterInitSuccess, tokenCreated], [200, true, true], formed.text)
    assert.equal((await fixture.get(packageUuid)).status, 'Initialized')
  })

  const kinds = Object.keys(people)
  const countTaken = (): number[] => kinds.map((kind) => receiver.accepted(kind).length)
  /** The first matching message of each kind of chat after a number of others. */
  const messages = async (pattern: RegExp, after: number[] = []): Promise<Record<string, string | undefined>> => {
    for (const until = performance.now() + messageMs; performance.now() < until; await delay(100)) {
      const found = kinds.map((kind, i) =>
        receiver
          .accepted(kind)
          .slice(after[i])
          .find(({ body }) => pattern.test(body)),
      )
      if (found.every((one) => one !== undefined))
        return Object.fromEntries(kinds.map((kind, i) => [kind, found[i]?.body]))
    }
    throw new Error(`no such message among ${receiver.requests.map(({ body }) => body).join('\n')}`)
  }

  await t.test('a node dies, and every chat is notified, with its person mentioned', async () => {
    await third.linkDown()
    const sent = await messages(/EtcdMemberDown/)
    for (const [kind, { mention }] of Object.entries(people)) {
      assert.ok(sent[kind]?.includes(mention), `${kind}: ${sent[kind]}`)
      assert.ok(sent[kind]?.includes(third.address), `${kind}: ${sent[kind]}`)
    }
    assert.deepEqual(JSON.parse(sent.DingTalk ?? '').at.atMobiles, [people.DingTalk.userId])
  })

  await t.test('the node recovers, and every chat is notified', async () => {
    await third.linkUp()
    const sent = await messages(/Resolved/i)
    for (const body of Object.values(sent)) assert.ok(body?.includes(third.address), String(body))
    const { body } = await admin.get('/v1/zwatch/third-party/alerts?q=name=EtcdMemberDown&sort=createDate')
    const alerts = body.inventories as { status: string }[]
    assert.deepEqual(
      alerts.map(({ status }) => status),
      ['firing', 'resolved'],
    )
  })

  // without etcd: component-package.slow.test.ts for tokens, cluster-plugins.slow.test.ts for configurations
  if (!isLong) return

  await t.test('the plugin is removed, and added again with a token of the cluster', async () => {
    const reveal = await admin.put(`/v1/cluster-plugin/${pluginUuid}/actions`, { revealCredential: {} })
    const { username, password } = reveal.body as { username: string; password: string }
    known = password
    const signIn = JSON.stringify({ name: username, password })
    // the three may still be electing their leader
    let token: string | undefined
    for (const until = performance.now() + messageMs; !token && performance.now() < until; await delay(200)) {
      const signInCommand = `curl -s -d '${signIn}' http://${first.address}:2379/v3/auth/authenticate`
      token = (JSON.parse(await first.exec(signInCommand)) as { token?: string }).token
    }
    assert.ok(token)
    const gone = await admin.delete(`/v1/cluster-plugin/${pluginUuid}`)
    assert.equal(gone.status, 200, gone.text)

    // etcd answers /health without authentication, so only the package's check verifies the token
    const takeOver = (adminToken: string, apiPort: number | null = 2379) =>
      admin.post('/v1/cluster-plugin', {
        params: { name: 'etcd', managementIp: first.address, apiPort, adminToken },
      })
    const foreign = `${token.slice(0, -4)}AAAA`
    assertFailure(await takeOver(foreign), { status: 409, code: 'ClusterPlugin.1001', details: 'refused the token' })
    // as after an upgrade: an older version stored nothing about the cluster of a removed plugin
    await fixture.server.app.foundation.database.transaction(async (tx) => {
      await tx.updateTable('softwarePackages').set({ sealedCluster: null }).execute()
      return {}
    })
    const added = inventoryOf<{ uuid: string; apiPort: number }>(await takeOver(token, null))
    assert.equal(added.apiPort, 2379, 'that of the package')
    pluginUuid = added.uuid
    assertFailure(await takeOver(token), { status: 409, code: 'SYS.1002', details: 'already added' })
    assertFailure(await fixture.uninstall(packageUuid), { status: 409, code: 'SYS.1006', details: 'remove it first' })
  })

  await t.test('a cluster that was taken over sends the alert of a dead node', async () => {
    const platform = await admin.post(`/v1/cluster-plugin/${pluginUuid}/alert-platform`, {})
    assert.equal(platform.status, 200, platform.text)
    const { body } = await admin.get(`/v1/cluster-plugin/${pluginUuid}/alert-attachment`)
    assert.deepEqual([body.attachment, body.softwarePackageUuid], ['Attached', packageUuid])
    const before = countTaken()
    await third.linkDown()
    const sent = await messages(/EtcdMemberDown/, before)
    for (const text of Object.values(sent)) assert.ok(text?.includes(third.address), String(text))
    await third.linkUp()
    await messages(/Resolved/i, before)
  })

  await t.test('the plugin is added again with the configuration of the cluster, which never stops', async () => {
    assert.equal((await admin.delete(`/v1/cluster-plugin/${pluginUuid}`)).status, 200)
    const isRunning = () => first.exec('pgrep -o -x etcd')
    const before = await isRunning()
    const add = async () => {
      const params = { name: 'etcd', managementIp: first.address }
      pluginUuid = inventoryOf<{ uuid: string }>(await admin.post('/v1/cluster-plugin', { params })).uuid
    }
    await add()
    assertFailure(await configure(), { status: 409, code: 'SYS.1006', details: 'give updateClusterConfig.password' })
    assertFailure(await configure({ password: 'not the one' }), { status: 502, code: 'ClusterPlugin.1002' })
    assert.equal((await fixture.get(packageUuid)).status, 'Initialized')
    assert.deepEqual([(await configure({ password: known })).body.tokenCreated], [true])
    assert.equal((await admin.delete(`/v1/cluster-plugin/${pluginUuid}`)).status, 200)

    // this version stores what it formed or attached, including the password
    await add()
    assertFailure(await configure({ username: 'other' }), {
      status: 409,
      code: 'SYS.1006',
      details: 'another username',
    })
    const again = await configure()
    assert.deepEqual([again.status, again.body.initSuccess, again.body.tokenCreated], [200, true, true], again.text)
    assert.equal(await isRunning(), before)
    assert.equal((await admin.delete(`/v1/cluster-plugin/${pluginUuid}`)).status, 200)
  })

  await t.test(
    'the software goes and comes back; the cluster keeps its data, and lets in who knows the password',
    async () => {
      assert.equal((await fixture.uninstall(packageUuid)).status, 200)
      assert.equal(await first.exec(`test -d ${data} && echo there`), 'there\n')
      assert.equal((await fixture.install(packageUuid)).status, 200)
      const params = { name: 'again', managementIp: first.address }
      pluginUuid = inventoryOf<{ uuid: string }>(await admin.post('/v1/cluster-plugin', { params })).uuid
      const wrong = await configure({ password: 'not the one' })
      assertFailure(wrong, { status: 502, code: 'ClusterPlugin.1002', details: 'cannot sign in' })
      assert.equal((await fixture.get(packageUuid)).status, 'InitializeFailed')
      const formed = await configure({ password: known })
      assert.deepEqual([formed.status, formed.body.tokenCreated], [200, true], formed.text)
      assert.equal((await admin.delete(`/v1/cluster-plugin/${pluginUuid}`)).status, 200)
      assert.equal((await fixture.uninstall(packageUuid)).status, 200)
    },
  )
})
