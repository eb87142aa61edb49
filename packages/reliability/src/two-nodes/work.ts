import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@wharf/testkit'
import type { Chance } from '../chance.ts'
import type { Call, Calls } from './calls.ts'
import { Marks, markingPackage } from './marks.ts'
import type { Stage } from './stage.ts'

/** A package on the host that is installed and removed in turn, by one job after the other. */
export interface Lane {
  readonly package: string
  isInstalled: boolean
  /** Under way, as far as is known. */
  job: string | undefined
  isBusy: boolean
}

const endedStates = ['Succeeded', 'Failed', 'Cancelled']

/** The packages on the host and the jobs on them. */
export class Work {
  readonly marks: Marks
  readonly lanes: readonly Lane[]
  /** One for each node; its job does not go on while it is in the hands of its first owner. */
  readonly hanging: readonly Lane[]
  /** Every job that was acknowledged is one on its package. */
  readonly acknowledged = new Map<string, number>()

  private constructor(marks: Marks, lanes: readonly Lane[], hanging: readonly Lane[]) {
    this.marks = marks
    this.lanes = lanes
    this.hanging = hanging
  }

  static async prepare(stage: Stage, count: number, chance: Chance): Promise<Work> {
    const { host, nodes } = stage
    const marks = await Marks.on(host)
    const { client } = nodes[0]
    const { hostname: name, address, port: sshPort, username, privateKey } = host
    const params = { name, driver: 'ssh', address, sshPort, username, privateKey }
    const hostUuid = await uuidOf(client, '/v1/hosts', params)
    const [managementNodeUuid] = stage.nodeUuids
    const lay = async (file: string, bytes: Buffer): Promise<Lane> => {
      writeFileSync(join(stage.packages, file), bytes)
      const place = {
        hostUuid,
        managementNodeUuid,
        installPath: `/srv/${file}`,
        url: `file://${stage.packages}/${file}`,
      }
      const uuid = await uuidOf(client, '/v1/software-packages/upload', { name: file, type: 'demo', ...place })
      return { package: uuid, isInstalled: false, job: undefined, isBusy: false }
    }
    const quick = Array.from({ length: count }, (_, at) =>
      lay(`quick-${at}`, markingPackage(chance.between(1, 9) / 10)),
    )
    const hanging = nodes.map((_, at) => lay(`hanging-${at}`, markingPackage(0.2, { hangs: true })))
    return new Work(marks, await Promise.all(quick), await Promise.all(hanging))
  }

  /** The next job of a package, or how the present one stands. */
  async goOn(lane: Lane, calls: Calls): Promise<void> {
    lane.isBusy = true
    try {
      await (lane.job === undefined ? this.#begin(lane, calls) : this.#look(lane, calls))
    } finally {
      lane.isBusy = false
    }
  }

  async #begin(lane: Lane, calls: Calls): Promise<void> {
    const answer = await calls.settle({ ...nextOf(lane), key: randomUUID() })
    if (answer === undefined) return
    this.#acknowledge(lane)
    const { location } = answer.body as { location?: string }
    // it had ended before the repeated call was answered
    if (location === undefined) lane.isInstalled = !lane.isInstalled
    else lane.job = uuidIn(location)
  }

  async #look(lane: Lane, calls: Calls): Promise<void> {
    const answer = await calls.settle({ method: 'GET', path: `/v1/api-jobs?q=uuid=${lane.job}` })
    const [job] = (answer?.body.inventories ?? []) as { state: string }[]
    if (job === undefined || !endedStates.includes(job.state)) return
    if (job.state === 'Succeeded') lane.isInstalled = !lane.isInstalled
    lane.job = undefined
  }

  /** A job that this node has begun with on the host, and that goes on when another comes there. */
  async hangAt(node: number, client: Client): Promise<string> {
    const lane = this.hanging[node] as Lane
    const { method, path, body } = nextOf(lane)
    const headers = { prefer: 'respond-async', 'idempotency-key': randomUUID() }
    let answer = await client.call(method, path, body, headers)
    // a node may still be on its way back from the last fault
    for (let tries = 0; /SYS.1010|HOST.1010/.test(answer.text) && tries < 60; tries++) {
      await delay(1000)
      answer = await client.call(method, path, body, headers)
    }
    if (answer.status !== 202) throw new Error(`no job was begun: ${answer.text}`)
    this.#acknowledge(lane)
    lane.isInstalled = !lane.isInstalled
    const job = uuidIn(String(answer.body.location))
    await this.marks.begun(job, 1, 30_000)
    return job
  }

  #acknowledge({ package: uuid }: Lane): void {
    this.acknowledged.set(uuid, (this.acknowledged.get(uuid) ?? 0) + 1)
  }
}

const nextOf = ({ package: uuid, isInstalled }: Lane): Call =>
  isInstalled
    ? { method: 'PUT', path: `/v1/software-package/${uuid}/actions`, body: { uninstallSoftwarePackage: {} } }
    : { method: 'PUT', path: `/v1/software-package/install/${uuid}/actions`, body: { installSoftwarePackage: {} } }

const uuidIn = (location: string): string => /api-jobs\/([0-9a-f]+)/.exec(location)?.[1] ?? ''

export async function uuidOf(client: Client, path: string, params: object): Promise<string> {
  const { status, text, body } = await client.post(path, { params })
  if (status !== 200) throw new Error(`${path} was answered ${status} ${text}`)
  return (body.inventory as { uuid: string }).uuid
}
