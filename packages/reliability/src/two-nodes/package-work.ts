import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wharf/testkit'
import type { SeededRandom } from '../seeded-random.ts'
import type { Call, Calls } from './calls.ts'
import { Marks, markingPackage } from './marks.ts'
import type { TwoNodeSetup } from './two-node-setup.ts'

/** A package on the host that is installed and removed in turn, by one job after the other. */
export interface PackageWorker {
  readonly package: string
  isInstalled: boolean
  /** The active job, as far as is known. */
  job: string | undefined
  isBusy: boolean
}

const endedStates = ['Succeeded', 'Failed', 'Cancelled']

/** The packages on the host and the jobs on them. */
export class PackageWork {
  readonly marks: Marks
  readonly workers: readonly PackageWorker[]
  /** One for each node; its job hangs while its first owner runs it. */
  readonly hanging: readonly PackageWorker[]
  /** Every job that was acknowledged is one on its package. */
  readonly acknowledged = new Map<string, number>()

  private constructor(marks: Marks, workers: readonly PackageWorker[], hanging: readonly PackageWorker[]) {
    this.marks = marks
    this.workers = workers
    this.hanging = hanging
  }

  static async prepare(setup: TwoNodeSetup, count: number, random: SeededRandom): Promise<PackageWork> {
    const { host, nodes } = setup
    const marks = await Marks.on(host)
    const { client } = nodes[0]
    const { hostname: name, address, port: sshPort, username, privateKey } = host
    const params = { name, driver: 'ssh', address, sshPort, username, privateKey }
    const hostUuid = await uuidOf(client, '/v1/hosts', params)
    const [managementNodeUuid] = setup.nodeUuids
    const upload = async (file: string, bytes: Buffer): Promise<PackageWorker> => {
      writeFileSync(join(setup.packages, file), bytes)
      const target = {
        hostUuid,
        managementNodeUuid,
        installPath: `/srv/${file}`,
        url: `file://${setup.packages}/${file}`,
      }
      const uuid = await uuidOf(client, '/v1/software-packages/upload', { name: file, type: 'demo', ...target })
      return { package: uuid, isInstalled: false, job: undefined, isBusy: false }
    }
    const quick = Array.from({ length: count }, (_, at) =>
      upload(`quick-${at}`, markingPackage(random.between(1, 9) / 10)),
    )
    const hanging = nodes.map((_, at) => upload(`hanging-${at}`, markingPackage(0.2, { hangs: true })))
    return new PackageWork(marks, await Promise.all(quick), await Promise.all(hanging))
  }

  /** Starts the next job of a package, or polls the current one. */
  async advance(worker: PackageWorker, calls: Calls): Promise<void> {
    worker.isBusy = true
    try {
      await (worker.job === undefined ? this.#startJob(worker, calls) : this.#pollJob(worker, calls))
    } finally {
      worker.isBusy = false
    }
  }

  async #startJob(worker: PackageWorker, calls: Calls): Promise<void> {
    const answer = await calls.settle({ ...nextOf(worker), key: randomUUID() })
    if (answer === undefined) return
    this.#acknowledge(worker)
    const { location } = answer.body as { location?: string }
    // it had ended before the repeated call was answered
    if (location === undefined) worker.isInstalled = !worker.isInstalled
    else worker.job = uuidIn(location)
  }

  async #pollJob(worker: PackageWorker, calls: Calls): Promise<void> {
    const answer = await calls.settle({ method: 'GET', path: `/v1/api-jobs?q=uuid=${worker.job}` })
    const [job] = (answer?.body.inventories ?? []) as { state: string }[]
    if (job === undefined || !endedStates.includes(job.state)) return
    if (job.state === 'Succeeded') worker.isInstalled = !worker.isInstalled
    worker.job = undefined
  }

  /** A job that this node has started on the host, and that continues when another node takes over. */
  async startHangingJob(node: number, client: Client): Promise<string> {
    const worker = this.hanging[node] as PackageWorker
    const { method, path, body } = nextOf(worker)
    const headers = { prefer: 'respond-async', 'idempotency-key': randomUUID() }
    let answer = await client.call(method, path, body, headers)
    // a node may still be recovering from the last fault
    for (let tries = 0; /SYS.1010|HOST.1010/.test(answer.text) && tries < 60; tries++) {
      await delay(1000)
      answer = await client.call(method, path, body, headers)
    }
    if (answer.status !== 202) throw new Error(`no job was started: ${answer.text}`)
    this.#acknowledge(worker)
    worker.isInstalled = !worker.isInstalled
    const job = uuidIn(String(answer.body.location))
    await this.marks.waitForStart(job, 1, 30_000)
    return job
  }

  #acknowledge({ package: uuid }: PackageWorker): void {
    this.acknowledged.set(uuid, (this.acknowledged.get(uuid) ?? 0) + 1)
  }
}

const nextOf = ({ package: uuid, isInstalled }: PackageWorker): Call =>
  isInstalled
    ? { method: 'PUT', path: `/v1/software-package/${uuid}/actions`, body: { uninstallSoftwarePackage: {} } }
    : { method: 'PUT', path: `/v1/software-package/install/${uuid}/actions`, body: { installSoftwarePackage: {} } }

const uuidIn = (location: string): string => /api-jobs\/([0-9a-f]+)/.exec(location)?.[1] ?? ''

export async function uuidOf(client: Client, path: string, params: object): Promise<string> {
  const { status, text, body } = await client.post(path, { params })
  if (status !== 200) throw new Error(`${path} was answered ${status} ${text}`)
  return (body.inventory as { uuid: string }).uuid
}
