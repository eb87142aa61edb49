import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  type Answer,
  assertFailure,
  authorizeEachOther,
  hostsNeedRoot,
  installable,
  PackageFixture,
  ProgramBreakpoints,
  recordIn,
  reverseCleanup,
  type TestHost,
  testEngine,
} from '@wharf/testkit'
import { clusterOn, clusterPackage } from '@wharf/testkit/packages/cluster-package.ts'

const async = { prefer: 'respond-async' }

suite('failures of a cluster', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: PackageFixture
  let hosts: { machine: TestHost; uuid: string }[] = []
  let holds: ProgramBreakpoints
  let packageUuid = ''
  const machines = () => hosts.map(({ machine }) => machine)
  const [first, third] = [() => machines()[0] as TestHost, () => machines()[2] as TestHost]

  before(async () => {
    fixture = await PackageFixture.start(cleanup, { environment: { WHARF_PUBLIC_URL: 'http://198.18.255.1:8080' } })
    hosts = await fixture.addHosts(cleanup, 3)
    await authorizeEachOther(machines())
    holds = await ProgramBreakpoints.onHost(first())
    packageUuid = await upload(clusterPackage())
    assert.equal((await fixture.install(packageUuid)).status, 200)
  })

  let count = 0
  async function upload(bytes: Buffer, to = fixture, hostUuid = hosts[0]?.uuid): Promise<string> {
    const url = to.source.serve('package.tar', bytes)
    const installPath = `/opt/${count++}/package.tar`
    const uploaded = await to.upload({ url, hostUuid, type: 'storage', installPath })
    assert.equal(uploaded.status, 200, uploaded.text)
    return recordIn(uploaded).uuid
  }
  async function add(by = fixture, apiPort?: number): Promise<string> {
    const params = { name: `cluster ${count++}`, managementIp: first().address, apiPort }
    const added = await by.admin.post('/v1/cluster-plugin', { params })
    assert.equal(added.status, 200, added.text)
    return recordIn(added).uuid
  }
  const fieldsOf = (uuid: string) => ({ uuid, softwarePackageUuid: packageUuid, ...clusterOn(machines()) })
  const configure = (uuid: string, change: object = {}, headers: Record<string, string> = {}): Promise<Answer> => {
    const body = { updateClusterConfig: { ...fieldsOf(uuid), ...change } }
    return fixture.admin.put('/v1/cluster-plugin/config/cluster', body, headers)
  }
  const remove = (uuid: string, deleteMode: string) =>
    fixture.admin.delete(`/v1/cluster-plugin/${uuid}`, { deleteMode })
  const statusOfPackage = async (): Promise<string> => (await fixture.get(packageUuid)).status
  /** The log of its last job. */
  async function lastLog(uuid: string): Promise<string> {
    const { body } = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&sort=-createDate`)
    const [job] = body.inventories as { uuid: string }[]
    return (await fixture.admin.get(`/v1/api-jobs/${job?.uuid}/log`)).text
  }
  const runs = async (hook: string): Promise<number> =>
    (await first().exec('cat /var/lib/cluster/trace || true')).split('\n').filter((line) => line.startsWith(hook))
      .length

  test('a package that is not installed, or has no cluster hooks, is refused', async () => {
    const uuid = await add()
    const without = await upload(installable({ type: 'storage' }))
    assert.equal((await fixture.install(without)).status, 200)
    assertFailure(await configure(uuid, { softwarePackageUuid: without }), {
      status: 400,
      code: 'SoftwarePackage.1132',
      details: 'cannot initialise a cluster',
    })
    const uploaded = await upload(clusterPackage())
    assertFailure(await configure(uuid, { softwarePackageUuid: uploaded }), {
      status: 409,
      code: 'SYS.1005',
      details: 'is Uploaded',
    })
    assert.equal((await remove(uuid, 'Permissive')).status, 200)
  })

  test('a wrong managementIp changes nothing of the plugin', async () => {
    const here = await PackageFixture.start(cleanup)
    const { address, username, privateKey } = first()
    const params = { name: 'first', driver: 'ssh', address, username, privateKey }
    const { uuid: hostUuid } = recordIn(await here.admin.post('/v1/hosts', { params }))
    const softwarePackageUuid = await upload(clusterPackage(), here, hostUuid)
    assert.equal((await here.install(softwarePackageUuid)).status, 200)
    const uuid = await add(here)
    const managementIp = first().address.replace(/\d+$/, '222')
    const fields = { ...fieldsOf(uuid), softwarePackageUuid, managementIp }
    assertFailure(await here.admin.put('/v1/cluster-plugin/config/cluster', { updateClusterConfig: fields }), {
      status: 400,
      code: 'SYS.1007',
      details: `managementIp ${managementIp} is not an address of the host`,
    })
    assert.equal((await here.get(softwarePackageUuid)).status, 'InitializeFailed')
    const { body } = await here.admin.get(`/v1/cluster-plugin/${uuid}`)
    assert.equal((body.inventories as { managementIp: string }[])[0]?.managementIp, first().address)
    assert.deepEqual((await here.admin.get(`/v1/system-tags?q=resourceUuid=${uuid}`)).body.inventories, [])
  })

  test('a plugin is removed only by force while it is configured', async () => {
    const uuid = await add()
    await holds.add('before', ['./initialise.sh'])
    const accepted = await configure(uuid, {}, async)
    assert.equal(accepted.status, 202, accepted.text)
    await holds.waitUntilReached()
    assertFailure(await remove(uuid, 'Permissive'), { status: 409, code: 'SYS.1004', details: 'UpdateClusterConfig' })
    const gone = await remove(uuid, 'Enforcing')
    assert.deepEqual([gone.status, gone.body], [200, {}], gone.text)
    await holds.release()
    const { body } = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${uuid}&q=operation=UpdateClusterConfig`)
    assert.deepEqual(
      (body.inventories as { state: string }[]).map(({ state }) => state),
      ['Cancelled'],
    )
    assert.equal(await statusOfPackage(), 'InitializeFailed')
    assert.equal((await fixture.admin.get(`/v1/cluster-plugin/${uuid}`)).status, 404)
    assert.equal(await runs('initialise'), 0)
  })

  test('the error names an unreachable node, and the same call resumes when the node is reachable', async () => {
    const uuid = await add()
    await third().linkDown()
    assertFailure(await configure(uuid), {
      status: 502,
      code: 'ClusterPlugin.1003',
      details: `${third().address} → ${first().address} (not tried: ${first().address} does not reach`,
    })
    await third().linkUp()

    // in the middle of initialising
    await first().exec(`mkdir -p /var/lib/cluster; echo ${third().address} >/var/lib/cluster/visit`)
    await holds.add('before', ['./initialise.sh'])
    const failing = configure(uuid)
    await holds.waitUntilReached()
    await third().linkDown()
    await holds.release()
    assertFailure(await failing, { status: 502, code: 'ClusterPlugin.1002', details: third().address })
    assert.equal(await statusOfPackage(), 'InitializeFailed')
    await third().linkUp()

    // the host of the package itself
    await holds.add('before', ['./initialise.sh'])
    const losing = configure(uuid)
    await holds.waitUntilReached()
    first().cutConnections()
    assertFailure(await losing, { status: 502, code: 'HOST.1003' })
    await holds.release()
    assert.equal(await statusOfPackage(), 'InitializeFailed')

    // another plugin cannot use its package meanwhile
    const other = await add(fixture, 8057)
    assertFailure(await configure(other), { status: 409, code: 'SYS.1006', details: 'runs on this software package' })

    const formed = await configure(uuid)
    assert.deepEqual([formed.status, formed.body.initSuccess], [200, true], formed.text)
    assert.match(await lastLog(uuid), /reach was finished before/)
    assert.equal(await statusOfPackage(), 'Initialized')
    assertFailure(await configure(other), { status: 409, code: 'SYS.1005', details: 'is Initialized' })
    for (const one of [uuid, other]) assert.equal((await remove(one, 'Permissive')).status, 200)
    assert.equal((await fixture.uninstall(packageUuid)).status, 200)
    assert.equal((await fixture.install(packageUuid)).status, 200)
  })

  test('a formed cluster is not changed by later failures', async () => {
    const uuid = await add()
    const made = await fixture.admin.put('/v1/cluster-plugin/config/cluster', {
      updateClusterConfig: { ...fieldsOf(uuid), otherManagementIp: [first().address, first().address] },
    })
    assertFailure(made, { status: 400, code: 'SYS.1007', details: 'different addresses' })
    // the cluster does not get the password that was generated first
    await first().exec('mkdir -p /var/lib/cluster && touch /var/lib/cluster/fail-once /var/lib/cluster/fail-token')
    assertFailure(await configure(uuid), { status: 502, code: 'ClusterPlugin.1002' })
    const password = 'a "quoted" password'
    const formed = await configure(uuid, { password })
    assert.deepEqual([formed.status, formed.body.tokenCreated], [200, false], formed.text)
    assert.match(await lastLog(uuid), /no token was created: SoftwarePackage.1300/)
    const reveal = await fixture.admin.put(`/v1/cluster-plugin/${uuid}/actions`, { revealCredential: {} })
    assertFailure(reveal, { status: 409, code: 'SYS.1005' })

    // neither a later failure nor another package removes the cluster
    const platform = await fixture.admin.post(`/v1/cluster-plugin/${uuid}/alert-platform`, { userTags: ['mine'] })
    assert.equal(platform.status, 200, platform.text)
    const { uuid: platformUuid } = platform.body.thirdPartyPlatform as { uuid: string }
    const reset = await fixture.admin.put(`/v1/zwatch/third-party/platforms/${platformUuid}/actions`, {
      resetToken: {},
    })
    await first().exec('rm /var/lib/cluster/fail-token; touch /var/lib/cluster/fail-alerts')
    const swapped = { password, otherManagementIp: fieldsOf(uuid).otherManagementIp.toReversed() }
    const again = await configure(uuid, swapped)
    assert.deepEqual([again.status, again.body.tokenCreated], [200, true], again.text)
    assert.match(await lastLog(uuid), /alerts of the component were not configured/)
    assert.equal(await statusOfPackage(), 'Initialized')
    const second = await upload(clusterPackage())
    assert.equal((await fixture.install(second)).status, 200)
    const moved = await configure(uuid, { password, softwarePackageUuid: second })
    assertFailure(moved, { status: 409, code: 'SYS.1006', details: 'already configured' })

    // the next call adds what is missing, and the one after that changes nothing
    await first().exec('rm /var/lib/cluster/fail-alerts')
    assert.equal((await configure(uuid, swapped)).status, 200)
    const input = (await first().exec('tail -n 1 /var/lib/cluster/trace')).trim()
    assert.ok(input.startsWith('alerts ') && input.includes(String(reset.body.token)), input)
    const before = await first().exec('cat /var/lib/cluster/trace')
    assert.equal((await configure(uuid, swapped)).status, 200)
    assert.equal(await first().exec('cat /var/lib/cluster/trace'), before)

    // without its platform it is configured at the latest when it is removed
    assert.equal((await fixture.admin.delete(`/v1/zwatch/third-party/platforms/${platformUuid}`)).status, 200)
    assert.equal((await remove(uuid, 'Permissive')).status, 200)
    assert.match(await first().exec('tail -n 1 /var/lib/cluster/trace'), /^alerts .*"alerts":null/)
    assert.deepEqual((await fixture.admin.get('/v1/user-tags')).body.inventories, [])
    assert.equal((await fixture.uninstall(packageUuid)).status, 200)
    assert.equal((await fixture.install(packageUuid)).status, 200)
  })

  test('the initConfig tag may contain the fields, and is stored without the password', async () => {
    const uuid = await add()
    const password = 'a password in a tag'
    const { otherManagementIp, ...inTag } = fieldsOf(uuid)
    const tag = `initConfig::${JSON.stringify({ ...inTag, otherManagementIp: [], username: 'tagged', password })}`
    const body = { updateClusterConfig: { otherManagementIp }, systemTags: [tag] }
    const formed = await fixture.admin.put('/v1/cluster-plugin/config/cluster', body)
    assert.equal(formed.status, 200, formed.text)
    const line = (await first().exec('tail -n 1 /var/lib/cluster/trace')).trim()
    assert.ok(line.includes(JSON.stringify(password)) && line.includes('"username":"tagged"'), line)
    const { body: found, text } = await fixture.admin.get(`/v1/system-tags?q=resourceUuid=${uuid}`)
    const [stored, ...more] = (found.inventories as { tag: string }[]).map(({ tag }) => tag)
    assert.deepEqual(more, [])
    const { publicNetworkCidr: gatewayNetworkCidr } = inTag
    const effective = { ...inTag, otherManagementIp, otherStorageIp: [], gatewayNetworkCidr, username: 'tagged' }
    assert.deepEqual(JSON.parse(stored?.replace(/^initConfig::/, '') ?? ''), effective)
    assert.ok(!text.includes(password) && !(await lastLog(uuid)).includes(password))
    assert.equal((await fixture.admin.post(`/v1/cluster-plugin/${uuid}/alert-platform`, {})).status, 200)
  })

  test('without a reachable host a plugin is removed only by force, and what could not be undone is logged', async () => {
    const { body } = await fixture.admin.get('/v1/cluster-plugin')
    const [{ uuid } = { uuid: '' }] = body.inventories as { uuid: string }[]
    const disabled = { changeHostState: { stateEvent: 'disable' } }
    await fixture.admin.put(`/v1/hosts/${hosts[0]?.uuid}/actions`, disabled)
    assertFailure(await remove(uuid, 'Permissive'), { status: 409, code: 'SYS.1004', details: 'is Disabled' })
    // one engine is enough: the database does not affect a lost connection
    if (testEngine === 'sqlite') {
      await fixture.admin.put(`/v1/hosts/${hosts[0]?.uuid}/actions`, { changeHostState: { stateEvent: 'enable' } })
      await Promise.all(machines().map((machine) => machine.linkDown()))
    }
    const gone = await remove(uuid, 'Enforcing')
    if (testEngine === 'sqlite') await Promise.all(machines().map((machine) => machine.linkUp()))
    assert.deepEqual([gone.status, gone.body], [200, {}], gone.text)
    assert.match(
      await lastLog(uuid),
      /the component may still send alerts: (no answer within 10 s|ApiError: .*is Disabled)/,
    )
    assert.deepEqual((await fixture.admin.get('/v1/cluster-plugin')).body.inventories, [])
    assert.deepEqual((await fixture.admin.get('/v1/cluster-plugin/alert-platform')).body.inventories, [])
  })
})
