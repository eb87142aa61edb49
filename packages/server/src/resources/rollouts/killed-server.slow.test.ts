import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { PackageCalls, PackageSource, reverseCleanup, ServerProcess, serverEnvironment } from '@wharf/testkit'
import { failAndRollBack, type KillableNodes, KilledRollouts, upgradeAndRollBack } from './testing/killed-rollouts.ts'

/** Twenty together with those of two nodes. */
const kills = process.env.TEST_LONG ? 200 : 14

/** A server that can be killed, and the web server that packages are fetched from. */
class KillableServer extends PackageCalls implements KillableNodes {
  readonly server
  readonly source
  readonly folder
  readonly maxPauseMs = 600

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

  async kill(): Promise<void> {
    await this.server.kill()
    await this.server.start()
  }
}

test(`${kills} times kill -9 of the server: the hosts record waves, bounded failures and exact rollbacks`, async (t) => {
  const trial = new KilledRollouts(await KillableServer.start(t))
  await trial.run([failAndRollBack, upgradeAndRollBack], kills)
})
