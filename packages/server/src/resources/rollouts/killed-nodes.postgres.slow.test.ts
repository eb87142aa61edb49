import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type Client,
  nodeEnvironments,
  PackageCalls,
  PackageSource,
  reverseCleanup,
  ServerProcess,
  startHosts,
  type TestHost,
  testEngine,
} from '@wharf/testkit'
import { failAndRollBack, type KillableNodes, KilledRollouts, upgradeAndRollBack } from './testing/killed-rollouts.ts'

/** Twenty together with those of one node. */
const kills = process.env.TEST_LONG ? 200 : 6

interface PairParts {
  readonly nodes: readonly ServerProcess[]
  readonly source: PackageSource
  readonly folder: string
  readonly machine: TestHost
  readonly backupStorageUuid: string
}

/** Two nodes, and a machine with sshd that has their hosts and their backup storage. */
class KillablePair extends PackageCalls implements KillableNodes {
  readonly server: ServerProcess
  readonly source: PackageSource
  readonly folder: string
  readonly machines: readonly TestHost[]
  readonly backupStorageUuid: string
  readonly maxPauseMs = 300
  readonly #nodes: readonly ServerProcess[]
  /** The node that is away. */
  #away: ServerProcess | undefined

  private constructor({ nodes, source, folder, machine, backupStorageUuid }: PairParts) {
    super()
    this.#nodes = nodes
    this.server = nodes[0] as ServerProcess
    this.source = source
    this.folder = folder
    this.machines = [machine]
    this.backupStorageUuid = backupStorageUuid
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<KillablePair> {
    const cleanup = reverseCleanup(t)
    const folder = mkdtempSync(join(tmpdir(), 'wharf-rollouts-'))
    cleanup.after(async () => rmSync(folder, { recursive: true, force: true }))
    const source = await PackageSource.start(cleanup)
    const [machine] = await startHosts(cleanup, 1, { sshd: ['MaxSessions 100'] })
    if (machine === undefined) throw new Error('no host was started')
    const environments = await nodeEnvironments(cleanup, 2)
    const nodes = environments.map((one) => new ServerProcess({ ...one, WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8' }))
    for (const node of nodes) {
      await node.start()
      cleanup.after(() => node.kill())
    }
    const { address, port, username, privateKey } = machine
    await machine.exec(`mkdir -p ${folder}/storage`)
    const url = `sftp://${address}:${port}${folder}/storage`
    const params = { name: 'shared', type: 'sftp', url, username, privateKey }
    const added = await (nodes[0] as ServerProcess).admin.post('/v1/backup-storage', { params })
    if (added.status !== 200) throw new Error(added.text)
    const { uuid: backupStorageUuid } = added.body.inventory as { uuid: string }
    return new KillablePair({ nodes, source, folder, machine, backupStorageUuid })
  }

  /** At one of the nodes that are not away. */
  override get admin(): Client {
    const living = this.#nodes.filter((node) => node !== this.#away)
    return (living[Math.floor(Math.random() * living.length)] as ServerProcess).adminOf(this.server)
  }

  kill(): Promise<void> {
    return this.runWithoutOne(async () => {})
  }

  async runWithoutOne(work: () => Promise<unknown>): Promise<void> {
    const node = this.#nodes[Math.floor(Math.random() * this.#nodes.length)] as ServerProcess
    this.#away = node
    await node.kill()
    await work()
    await node.start()
    this.#away = undefined
  }
}

if (testEngine === 'postgres')
  test(`${kills} times kill -9 of one of two nodes: the hosts record waves, bounded failures and exact rollbacks`, async (t) => {
    const trial = new KilledRollouts(await KillablePair.start(t))
    await trial.run([upgradeAndRollBack, failAndRollBack], kills)
  })
