import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from '@wharf/testkit'
import { median } from '../measure.ts'
import { type TreeUsage, usageOf } from '../process-usage.ts'
import type { SimulatedHosts } from './simulate-hosts.ts'

/** Concurrent callers: more would only wait for each other, as the hosts share the processors of this machine. */
const workerCount = 8
/** Of one of the many calls; a machine that simulates a thousand hosts may be slow. */
const longTimeout = { 'x-api-timeout': '3600' }
const roundMs = 30_000

interface Cost {
  readonly seconds: number
  /** Of the server and all that it has started, ended or not. */
  readonly cpuSeconds: number
  readonly ownCpuSeconds: number
}

/** What a person with very many hosts does, and what it costs the server. */
export class HostFleet {
  readonly #server: ServerProcess
  readonly #hosts: SimulatedHosts
  #packageUuids: string[] = []

  constructor(server: ServerProcess, hosts: SimulatedHosts) {
    this.#server = server
    this.#hosts = hosts
  }

  usage(): TreeUsage {
    return usageOf(this.#server.pid)
  }

  async costOf(work: () => Promise<unknown>): Promise<Cost> {
    const before = this.usage()
    const began = performance.now()
    await work()
    const after = this.usage()
    return {
      seconds: (performance.now() - began) / 1000,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      ownCpuSeconds: after.ownCpuSeconds - before.ownCpuSeconds,
    }
  }

  /** Per second, and how long the last of these rounds took. */
  async costOfRounds(rounds: number): Promise<Omit<Cost, 'seconds'> & { roundSeconds: number }> {
    const cost = await this.costOf(() => delay(rounds * roundMs))
    const roundSeconds = await this.lastRoundSeconds()
    return {
      roundSeconds,
      cpuSeconds: cost.cpuSeconds / cost.seconds,
      ownCpuSeconds: cost.ownCpuSeconds / cost.seconds,
    }
  }

  /** The first since the server has started. */
  async waitForRound(): Promise<void> {
    for (let tries = 0; tries < 3600; tries++) {
      if (Number.isFinite(await this.lastRoundSeconds())) return
      await delay(1000)
    }
    throw new Error('the round over the hosts does not end')
  }

  async lastRoundSeconds(): Promise<number> {
    const { text } = await this.#server.anonymous.get('/metrics')
    return Number(/^wharf_host_watch_seconds (.*)$/m.exec(text)?.[1])
  }

  /** How many are, at last: a machine that also simulates them may need more than one round. */
  async connected(count: number): Promise<number> {
    let connected = 0
    for (let tries = 0; tries < 10 && connected < count; tries++) {
      if (tries > 0) await delay(roundMs)
      const { text } = await this.#server.anonymous.get('/metrics')
      // this machine itself is a host as well
      connected = Number(/^wharf_hosts\{status="Connected"\} (.*)$/m.exec(text)?.[1]) - 1
    }
    return connected
  }

  add(count: number): Promise<unknown> {
    const { port: sshPort, privateKey } = this.#hosts
    return this.#each(count, async (index) => {
      const address = this.#hosts.addressOf(index)
      const params = { name: `host-${index}`, driver: 'ssh', address, sshPort, username: 'root', privateKey }
      const { body, text } = await this.#server.admin.post('/v1/hosts', { params }, longTimeout)
      if (!body.success) throw new Error(text)
    })
  }

  async upload(count: number, url: string, folder: string): Promise<void> {
    const { managementNodeUuid } = this.#server.bootstrap
    const hosts = await this.#all('/v1/hosts?q=driver=ssh&q=status=Connected&sort=%2Bname')
    if (hosts.length < count) throw new Error(`only ${hosts.length} hosts are connected`)
    this.#packageUuids = await this.#each(count, async (index) => {
      let last = ''
      // a machine that also simulates all hosts may exceed a timeout
      for (let attempt = 1; attempt <= 3; attempt++) {
        const target = { hostUuid: hosts[index]?.uuid, managementNodeUuid }
        const installPath = `${folder}/${index}-${attempt}/tiny.tar`
        const params = { name: `tiny-${index}`, type: 'demo', url, installPath, ...target }
        const { body, text } = await this.#server.admin.post('/v1/software-packages/upload', { params }, longTimeout)
        if (body.success) return (body.inventory as { uuid: string }).uuid
        last = text
      }
      throw new Error(last)
    })
  }

  installAll(): Promise<unknown> {
    return this.#each(this.#packageUuids.length, async (index) => {
      const path = `/v1/software-package/install/${this.#packageUuids[index]}/actions`
      const { status, text } = await this.#server.admin.put(path, { installSoftwarePackage: {} }, longTimeout)
      if (status !== 200) throw new Error(text)
    })
  }

  async pageMs(path: string): Promise<number> {
    const times: number[] = []
    for (let tries = 0; tries < 100; tries++) {
      const began = performance.now()
      const { status, text } = await this.#server.admin.get(path)
      if (status !== 200) throw new Error(text)
      times.push(performance.now() - began)
    }
    return median(times)
  }

  async #all(path: string): Promise<{ uuid: string }[]> {
    const found: { uuid: string }[] = []
    for (;;) {
      const { body, text } = await this.#server.admin.get(`${path}&limit=1000&start=${found.length}`)
      if (!body.success) throw new Error(text)
      const page = body.inventories as { uuid: string }[]
      found.push(...page)
      if (page.length === 0) return found
    }
  }

  /** Results in the order of their index. */
  async #each<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
    const results: T[] = []
    let next = 0
    const worker = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) results[index] = await work(index)
    }
    await Promise.all(Array.from({ length: workerCount }, worker))
    return results
  }
}
