import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { PackageCalls, PackageSource, reverseCleanup, ServerProcess, serverEnvironment } from '@wharf/testkit'
import { Fleet } from './testing/fleet.ts'

const kills = process.env.TEST_LONG ? 200 : 20
/** Of each round: an upgrade and its rollback. */
const killsPerRound = 10

/** A server that can be killed, and the web server that packages are fetched from. */
class KillableServer extends PackageCalls {
  readonly server
  readonly source
  readonly folder

  constructor(server: ServerProcess, source: PackageSource, folder: string) {
    super()
    this.server = server
    this.source = source
    this.folder = folder
  }

  static async start(t: TestContext): Promise<KillableServer> {
    const cleanup = reverseCleanup(t)
    const folder = mkdtempSync(join(tmpdir(), 'wharf-rollouts-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const source = await PackageSource.start(cleanup)
    const environment = { ...(await serverEnvironment(cleanup)), WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }
    const server = new ServerProcess(environment)
    await server.start()
    cleanup.after(() => server.kill())
    return new KillableServer(server, source, folder)
  }
}

/** Kills the server at random moments until the rollout has this state. */
async function killUntil(
  fleet: Fleet,
  server: ServerProcess,
  uuid: string,
  state: string,
  times: number,
): Promise<void> {
  for (let kill = 0; kill < times; kill++) {
    await delay(Math.random() * 600)
    await server.kill()
    await server.start()
  }
  await fleet.until(uuid, state, 60_000)
}

/** Rule 2 by the order in which the hosts recorded: no host of a wave before every host of the one before. */
function assertWaves(fleet: Fleet, waves: readonly (readonly string[])[], hook: string): void {
  const times = waves.map((names) => names.map((name) => fleet.times(name, hook)))
  for (const [index, ofWave] of times.slice(1).entries()) {
    const before = Math.max(...(times[index] ?? []).flat())
    for (const first of ofWave.map((of) => Math.min(...of)))
      assert.ok(first >= before, `wave ${index + 2} started early`)
  }
}

test(`${kills} times kill -9 of the server: the hosts record one upgrade in waves, and one exact rollback`, async (t) => {
  const fixture = await KillableServer.start(t)
  const waves = [['web-1'], ['web-2', 'web-3'], ['web-4', 'web-5', 'web-6']]
  for (let round = 0; round * killsPerRound < kills; round++) {
    const fleet = await Fleet.create(fixture, 6)
    await fleet.publish('1.0.0')
    await fleet.publish('2.0.0')
    const first = await fleet.create('1.0.0', { config: { at: '{{ host.name }}' } })
    await fleet.until(first, 'Succeeded', 60_000)
    const before = [...fleet.hosts.keys()].map((name) => fleet.installed(name))
    const second = await fleet.create('2.0.0', { waves: ['1', '3', '100%'], maxParallel: 2, retries: 3 })
    await killUntil(fleet, fixture.server, second, 'Succeeded', killsPerRound / 2)
    for (const name of fleet.hosts.keys())
      assert.deepEqual(fleet.effects(name), ['install 1.0.0', 'uninstall 1.0.0', 'install 2.0.0'], name)
    assertWaves(fleet, waves, 'install 2.0.0')
    assert.equal((await fleet.act(second, 'rollBack')).status, 200)
    await killUntil(fleet, fixture.server, second, 'RolledBack', killsPerRound / 2)
    assert.deepEqual(
      [...fleet.hosts.keys()].map((name) => fleet.installed(name)),
      before,
    )
    for (const name of fleet.hosts.keys())
      assert.deepEqual(fleet.effects(name).slice(3), ['uninstall 2.0.0', 'install 1.0.0'], name)
  }
})
