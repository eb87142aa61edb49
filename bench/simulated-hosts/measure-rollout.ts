import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Wharf } from '@wharf/sdk'
import { installable, type ServerProcess } from '@wharf/testkit'
import { createServerProcess, temporaryFolder } from '../bench-server.ts'
import { fillSshHosts } from '../data.ts'
import { type Figure, reached } from '../measure.ts'
import { rssMiBOf } from '../process-usage.ts'
import { RolloutCalls } from '../rollout-calls.ts'
import { HostFleet } from './host-fleet.ts'
import { sendFigures } from './own-network.ts'
import { simulateHosts } from './simulate-hosts.ts'
import { TargetChanges } from './target-changes.ts'

const count = Number(process.env.HOSTS ?? 1000)
const memoryPollMs = 500
const quietMs = 2000

const figures: Figure[] = []
const record = (name: string, unit: string, value: number, aim: number, atMost = true): void => {
  figures.push(reached({ name: `rollout to ${count} hosts: ${name}`, unit, aim, atMost }, [value]))
  process.stderr.write(`${name}: ${Number(value.toPrecision(3))} ${unit}\n`)
}

/** Here and not in the bench, because the process needs a network of its own. */
async function measure(): Promise<readonly Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const folder = temporaryFolder(cleanup)
  const sources = join(folder, 'sources')
  mkdirSync(sources)
  writeFileSync(join(sources, 'tiny.tar'), installable())
  const data = join(folder, 'data')
  const hosts = await simulateHosts(folder, [join(data, 'ssh/id_ed25519.pub')])
  cleanup.defer(() => hosts.stop())
  const server = createServerProcess(cleanup, data, { WHARF_FILE_ROOTS: sources })
  // a clean stop, so that its ssh connections end
  cleanup.defer(async () => void (await server.stop()))
  await server.start(60_000)
  await server.stop()
  const file = join(data, 'wharf.db')
  fillSshHosts(file, { from: 0, to: count, packagesPath: join(folder, 'packages'), ...hosts })
  const changes = new TargetChanges(file)
  await server.start(60_000)

  const fleet = new HostFleet(server, hosts)
  await fleet.waitForRound()
  const connected = await fleet.connected(count)
  if (connected < count) throw new Error(`only ${connected} hosts are connected`)
  const rollouts = new RolloutCalls(server)
  const release = await rollouts.publish(`file://${sources}/tiny.tar`)

  const events = await countEvents(server)
  const peak = peakMemory(server)
  let uuid = ''
  const simulated = hosts.cpuSeconds()
  const cost = await fleet.costOf(async () => {
    const options = { waves: ['1', '10%', '100%'], maxParallel: 64 }
    uuid = (await rollouts.create({ releaseUuid: release.uuid, selector: ['driver=ssh'], ...options })).uuid
    await rollouts.waitForEnd(uuid, 'Succeeded')
  })
  record('a tiny package, 64 at a time, in three waves', 's', cost.seconds, Math.ceil(0.15 * count))
  record('the same, CPU of the server and its ssh, each', 'ms', (cost.cpuSeconds * 1000) / count, 500)
  record('the same, CPU of the server alone, each', 'ms', (cost.ownCpuSeconds * 1000) / count, 250)
  const hostCpuSeconds = hosts.cpuSeconds() - simulated
  process.stderr.write(`CPU of a simulated host: ${((hostCpuSeconds * 1000) / count).toFixed()} ms\n`)
  record('memory of the server, peak', 'MiB RSS', peak(), 300)
  const path = `/v1/rollouts/${uuid}/targets`
  record('a page of 100 of them, median', 'ms', await fleet.pageMs(`${path}?limit=100`), 20)
  record('a page of 100 that match, median', 'ms', await fleet.pageMs(`${path}?limit=100&q=state=Succeeded`), 20)
  const [seen, changed] = [await events(), changes.count()]
  if (seen > changed) throw new Error(`${seen} events report ${changed} changes`)
  record('events that report their changes of state', 'events', seen, changed, false)
  return figures
}

/** Follows the stream of events. The returned function resolves with the number of events of targets when no more arrive. */
async function countEvents({ bootstrap }: ServerProcess): Promise<() => Promise<number>> {
  const { url, accessKeyId: id, accessKeySecret: secret } = bootstrap
  const wharf = new Wharf({ url, accessKey: { id, secret } })
  const opened = Promise.withResolvers<void>()
  const stopped = new AbortController()
  let seen = 0
  let last = performance.now()
  const follow = async (): Promise<void> => {
    for await (const { resourceType } of wharf.events({
      onConnection: () => opened.resolve(),
      signal: stopped.signal,
    })) {
      if (resourceType !== 'RolloutTarget') continue
      seen++
      last = performance.now()
    }
  }
  follow().catch(opened.reject)
  await opened.promise
  return async () => {
    while (performance.now() - last < quietMs) await delay(100)
    stopped.abort()
    return seen
  }
}

/** The returned function stops the measurement. */
function peakMemory({ pid }: ServerProcess): () => number {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, rssMiBOf(pid))
  }, memoryPollMs)
  return () => {
    clearInterval(timer)
    return peak
  }
}

await sendFigures(measure)
