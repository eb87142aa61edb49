import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  authorizeEachOther,
  hostsNeedRoot,
  KillablePackages,
  ProgramBreakpoints,
  recordIn,
  reverseCleanup,
  type TestHost,
} from '@wharf/testkit'
import { clusterOn, clusterPackage } from '@wharf/testkit/packages/cluster-package.ts'

const hooks = ['initialise', 'check', 'token', 'alerts']
const whens = ['before', 'after'] as const

interface StartedConfiguration {
  /** Also the cluster's user name, by which the lines of the trace are attributed. */
  readonly name: string
  readonly pluginUuid: string
  readonly packageUuid: string
}

suite('after kill -9 of the server in the middle of a configuration', { skip: hostsNeedRoot }, () => {
  const cleanup = reverseCleanup({ after })
  let fixture: KillablePackages
  let hosts: { machine: TestHost; uuid: string }[] = []
  let holds: ProgramBreakpoints
  const machines = () => hosts.map(({ machine }) => machine)
  const first = () => machines()[0] as TestHost

  before(async () => {
    fixture = await KillablePackages.start(cleanup)
    // programs at a breakpoint stay open
    hosts = await fixture.addHosts(cleanup, 3, { sshd: ['MaxSessions 200'] })
    await authorizeEachOther(machines())
    holds = await ProgramBreakpoints.onHost(first())
  })

  let port = 8056
  async function startConfiguration(
    name: string,
    when: 'before' | 'after',
    args: readonly string[],
  ): Promise<StartedConfiguration> {
    const url = fixture.source.serve('cluster.tar', clusterPackage())
    const installPath = `/opt/${name}/cluster.tar`
    const uploaded = await fixture.upload({ url, hostUuid: hosts[0]?.uuid, type: 'storage', installPath })
    assert.equal(uploaded.status, 200, uploaded.text)
    const { uuid: packageUuid } = recordIn(uploaded)
    assert.equal((await fixture.install(packageUuid)).status, 200)
    const { managementIp, ...networks } = clusterOn(machines())
    const added = await fixture.admin.post('/v1/cluster-plugin', { params: { name, managementIp, apiPort: port++ } })
    const { uuid: pluginUuid } = recordIn(added)
    const platform = await fixture.admin.post(`/v1/cluster-plugin/${pluginUuid}/alert-platform`, {})
    assert.equal(platform.status, 200, platform.text)
    await holds.add(when, args)
    const fields = { uuid: pluginUuid, softwarePackageUuid: packageUuid, username: name, ...networks }
    const body = { updateClusterConfig: fields }
    const started = await fixture.admin.put('/v1/cluster-plugin/config/cluster', body, { prefer: 'respond-async' })
    assert.equal(started.status, 202, started.text)
    return { name, pluginUuid, packageUuid }
  }

  /** How often each hook ran for it, in order of the first run. */
  async function runsOf(name: string): Promise<Record<string, number>> {
    const lines = (await first().exec('cat /var/lib/cluster/trace')).trim().split('\n')
    const own = lines.filter((line) => line.includes(`"username":"${name}"`)).map((line) => line.split(' ', 1)[0])
    return Object.fromEntries(own.map((hook) => [hook, own.filter((other) => other === hook).length]))
  }

  async function isFormedOnce(
    { name, pluginUuid, packageUuid }: StartedConfiguration,
    killedIn: string,
  ): Promise<void> {
    await fixture.waitUntilIdle(pluginUuid)
    const log = await fixture.logOf(pluginUuid)
    assert.equal((await fixture.get(packageUuid)).status, 'Initialized', log)
    const { body } = await fixture.admin.get(`/v1/api-jobs?q=subjectUuid=${pluginUuid}&q=operation=UpdateClusterConfig`)
    const jobs = body.inventories as { uuid: string; state: string }[]
    assert.deepEqual(
      jobs.map(({ state }) => state),
      ['Succeeded'],
    )
    const { body: answer } = await fixture.admin.get(`/v1/api-jobs/${jobs[0]?.uuid}`)
    assert.deepEqual([answer.clusterInitSuccess, answer.tokenCreated, answer.initSuccess], [true, true, true])
    const runs = await runsOf(name)
    assert.deepEqual(Object.keys(runs), hooks)
    for (const [hook, count] of Object.entries(runs))
      assert.ok(count === 1 || (count === 2 && hook === killedIn), `${hook} ran ${count} times\n${log}`)
  }

  test('it succeeds once', async (t) => {
    const cases = hooks.flatMap((hook) => whens.map((when) => ({ name: `${when}-${hook}`, hook, when })))
    const started = await Promise.all(
      cases.map(async ({ name, hook, when }) => {
        return { hook, configuration: await startConfiguration(name, when, [`./${hook}.sh`, `/opt/${name}/`]) }
      }),
    )
    // every configuration starts with reach, so a breakpoint there stops all later ones
    for (const when of ['after', 'before'] as const) {
      await holds.waitUntilReached()
      started.push({
        hook: 'reach',
        configuration: await startConfiguration(`${when}-reach`, when, ['BatchMode=yes', first().address]),
      })
    }
    await holds.waitUntilReached()
    await fixture.server.kill()
    await holds.release()
    await fixture.server.start()
    for (const { configuration, hook } of started)
      await t.test(`killed ${configuration.name.replace('-', ' ')}`, () => isFormedOnce(configuration, hook))
  })
})
