import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hostsNeedRoot, reverseCleanup } from '@wharf/testkit'
import { EtcdClusterFixture } from './fixture.ts'
import { AlertReceiver } from './receiver.ts'

const data = '/var/lib/etcd-cluster'
const prefix = '/opt/etcd-cluster'
const password = `p"ä\\ \n$(id) 中 %s ' # ${'x'.repeat(20)}`

describe('etcd-cluster, hook by hook on three hosts', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: EtcdClusterFixture
  let cluster: Record<string, unknown>
  let token = ''

  before(async () => {
    fixture = await EtcdClusterFixture.start(cleanup)
    const [managementIp, ...otherManagementIp] = fixture.hosts.map(({ address }) => address)
    const cidr = `${managementIp?.replace(/\d+$/, '0')}/24`
    cluster = {
      managementIp,
      otherManagementIp,
      managementNetworkCidr: cidr,
      publicNetworkCidr: cidr,
      clusterNetworkCidr: cidr,
      gatewayNetworkCidr: cidr,
      otherStorageIp: [],
      username: 'admin "of" all',
      password,
      apiPort: 2379,
    }
  })

  const succeeds = async (script: string, input: object): Promise<string> => {
    const { code, output } = await fixture.hook(script, input)
    assert.equal(code, 0, output)
    return output
  }
  const fails = async (script: string, input: object, code: number, message: RegExp): Promise<void> => {
    const outcome = await fixture.hook(script, input)
    assert.match(outcome.output, message)
    assert.equal(outcome.code, code)
  }
  const onAll = (script: string): Promise<string[]> => Promise.all(fixture.hosts.map((host) => host.exec(script)))
  /** Running processes, without the short-lived copies that a shell makes of itself, and files, without etcd's data. */
  const listState = (): Promise<string[]> =>
    onAll(
      `ps -e -o pid=,sid=,args= | awk '$1 == $2' | grep '[/]opt/etcd-cluster'; pgrep -x etcd; cd ${data}; ls -lAR --full-time --ignore=data; sha256sum node jwt.*`,
    )

  test('can be installed repeatedly, and verified', async () => {
    const config = { clusterName: 'vault', tokenDays: 30 }
    for (let time = 0; time < 2; time += 1) await succeeds('install.sh', { config })
    const versions = await succeeds('verify.sh', { config })
    assert.match(versions, /etcd Version: 3\.4\.23\netcdctl version: 3\.4\.23\nalertmanager, version 0\.25/)
    await fails('verify.sh', { config: {} }, 1, /settings differs from the configuration/)
  })

  test('refuses a node with foreign data, and changes nothing', async () => {
    await fixture.host(3).exec(`mkdir ${data}; echo precious >${data}/file`)
    await fails(
      'cluster-init.sh',
      { cluster },
      3,
      new RegExp(`nothing was changed: ${fixture.host(3).address} holds foreign`),
    )
    assert.equal(await fixture.host(3).exec(`cat ${data}/file; ls ${data}; rm -r ${data}`), 'precious\nfile\n')
    for (const host of fixture.hosts) await host.exec(`test ! -e ${data}`)
    for (const host of fixture.hosts.slice(1)) await host.exec(`test ! -e ${prefix}`)
  })

  test('is not healthy before the cluster exists', () => fails('check.sh', { cluster }, 1, /0 of 3 members/))

  test('forms the cluster when cluster-init is repeated after kill -9', async () => {
    const second = fixture.host(2).address
    const killed = await fixture.hook('cluster-init.sh', { cluster }, (output, pid) => {
      if (output.includes(`starting etcd on ${second}`)) void fixture.host(1).exec(`kill -9 ${pid} 2>/dev/null || true`)
    })
    assert.notEqual(killed.code, 0)
    await fixture.host(1).exec(`test -d ${data}/data/member`)
    await fixture
      .host(1)
      .exec('while sleep 0.02; do ps -e -o args= >>/tmp/arguments; done >/dev/null 2>&1 & echo $! >/tmp/sampler')
    assert.match(await succeeds('cluster-init.sh', { cluster }), /healthy on .*, and its user can sign in\n$/)
    assert.match(await succeeds('check.sh', { cluster }), /3 of 3 members/)
  })

  test('creates a token that etcd accepts, and refuses others', async () => {
    const output = await succeeds('token.sh', { cluster })
    ;({ token } = JSON.parse(output.replace(/^::result /, '')))
    await succeeds('check.sh', { cluster, token })
    const { managementIp, apiPort } = cluster
    await succeeds('check.sh', { cluster: { managementIp, apiPort }, token })
    const started = performance.now()
    await fails('check.sh', { cluster, token: `${token}x` }, 1, /refused the token: .*invalid auth token/)
    await fails('check.sh', { cluster, token: 'x\nheader = y' }, 1, /is not a token of etcd/)
    await fails('check.sh', { cluster: { managementIp, apiPort: 1 }, token }, 1, /no member of the cluster responds/)
    assert.ok(performance.now() - started < 10_000)
    await fails('token.sh', { cluster: { ...cluster, password: 'other' } }, 1, /invalid user ID or password/)
  })

  test('a repeated cluster-init changes nothing, and tokens remain valid', async () => {
    const before = await listState()
    await succeeds('cluster-init.sh', { cluster })
    await fails('cluster-init.sh', { cluster: { ...cluster, password: 'other' } }, 1, /its user cannot sign in/)
    await fails(
      'cluster-init.sh',
      { cluster: { ...cluster, apiPort: 2399 } },
      3,
      /cluster with the ports 2379 and 2380/,
    )
    assert.deepEqual(await listState(), before)
    await succeeds('check.sh', { cluster, token })
  })

  test('no secret is an argument of a process or in a file that other users can read', async () => {
    await fixture.host(1).exec('kill $(cat /tmp/sampler)')
    const seen = await fixture.host(1).exec('cat /tmp/arguments')
    assert.match(seen, /cluster-init\.sh(.|\n)*http\.bash POST/)
    for (const secret of [password.slice(-20), token]) assert.ok(!seen.includes(secret))
    assert.deepEqual(await onAll(`stat -c %a ${data} ${data}/jwt.key`), Array(3).fill('700\n600\n'))
  })

  test('etcd is restarted after kill -9', async () => {
    const killed = await fixture.host(2).exec('pgrep -x etcd | tee /tmp/killed; kill -9 $(cat /tmp/killed)')
    for (let tries = 0; ; tries += 1) {
      const running = await fixture.host(2).exec('pgrep -x etcd || true')
      if (running !== '' && running !== killed && (await succeeds('check.sh', { cluster })).includes('3 of 3')) return
      assert.ok(tries < 100, 'etcd was not restarted')
      await delay(100)
    }
  })

  test('sends an alert with the token when a member stops, and resolves it when the member is back', async () => {
    const receiver = await AlertReceiver.start(cleanup, fixture.host(1).address.replace(/\d+$/, '1'))
    const alerts = { url: receiver.url, token: 'alert-token' }
    await succeeds('alerts.sh', { cluster, alerts })
    const processes = () => fixture.host(1).exec("pgrep --list-name '^(etcd|keep-running|run-watcher|prometheus-)'")
    const running = await processes()
    assert.equal(running.split('\n').length, 7, running)
    await succeeds('alerts.sh', { cluster, alerts })
    assert.equal(await processes(), running)
    // a takeover reads the same members from etcd, so nothing is restarted
    const { managementIp, apiPort } = cluster
    const takenOver = { cluster: { managementIp, apiPort }, takeover: true, alerts }
    await succeeds('alerts.sh', { ...takenOver, token })
    assert.equal(await processes(), running)

    await fixture.host(3).exec(`${prefix}/service.sh stop etcd`)
    const firing = await receiver.waitFor('firing')
    const labels = {
      alertname: 'EtcdMemberDown',
      severity: 'critical',
      instance: fixture.host(3).address,
      cluster: 'vault',
    }
    assert.deepEqual(firing.labels, labels)
    assert.equal(firing.authorization, 'Bearer alert-token')
    await fixture.host(3).exec(`${prefix}/service.sh start etcd`)
    const resolved = await receiver.waitFor('resolved')
    assert.deepEqual([resolved.labels, resolved.startsAt], [labels, firing.startsAt])
    assert.equal(receiver.received.length, 2)

    for (let time = 0; time < 2; time += 1) await succeeds('alerts.sh', { cluster, alerts: null })
    await fixture.host(1).exec(`test ! -e /var/lib/etcd-cluster-alerts && ! pgrep '^(run-watcher|prometheus-)'`)
  })

  test('uninstall keeps the data, and the next installation uses it', async () => {
    const output = await succeeds('uninstall.sh', {})
    assert.match(output, new RegExp(`data of the cluster stays: ${data}`))
    await onAll(`test ! -e ${prefix} && test -d ${data}/data/member && ! pgrep -x 'etcd|keep-running.sh'`)
    await succeeds('install.sh', { config: { tokenDays: 30 } })
    await succeeds('cluster-init.sh', { cluster })
    await succeeds('check.sh', { cluster, token })
  })

  test('a member that lost its data is refused, and an unreachable member is removed by a later uninstall', async () => {
    await fixture.host(2).exec(`${prefix}/service.sh stop etcd; rm -r ${data}`)
    await fails('cluster-init.sh', { cluster }, 3, /though the cluster was formed/)
    await fixture.host(3).linkDown()
    assert.match(await succeeds('uninstall.sh', {}), new RegExp(`failed to remove it from ${fixture.host(3).address}:`))
    await fixture.host(3).linkUp()
    assert.doesNotMatch(await succeeds('uninstall.sh', {}), /failed to remove/)
    await fixture.host(3).exec(`test ! -e ${prefix} && ! pgrep -x etcd`)
  })
})
