import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installable } from '@wharf/testkit'
import { createServerProcess, temporaryFolder } from '../bench-server.ts'
import { fillSshHosts } from '../data.ts'
import { type Figure, reached } from '../measure.ts'
import { HostFleet } from './host-fleet.ts'
import { sendFigures } from './own-network.ts'
import { simulateHosts } from './simulate-hosts.ts'

const count = Number(process.env.HOSTS ?? 1000)
/** Hosts that get a package; the duration grows with their number. */
const shipped = Math.min(count, Number(process.env.PACKAGES ?? count))
/** Enough to measure the cost of adding one. */
const addedByApi = Math.min(20, count)
const MiB = 2 ** 20

const figures: Figure[] = []
/** As good as it was, or at most so much. */
const record = (name: string, unit: string, value: number, aim: number, atMost = true): void => {
  figures.push(reached({ name: `${count} hosts: ${name}`, unit, aim, atMost }, [value]))
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
  const fleet = new HostFleet(server, hosts)
  const adding = await fleet.costOf(() => fleet.add(addedByApi))
  record('adding one, CPU of the server and its ssh', 'ms', (adding.cpuSeconds * 1000) / addedByApi, 2000)
  await server.stop()

  fillSshHosts(join(data, 'wharf.db'), { from: addedByApi, to: count, ...hosts })
  await server.start(60_000)
  const connecting = await fleet.costOf(() => fleet.waitForRound())
  record('first round, which connects, CPU', 's', connecting.cpuSeconds, 0.2 * count)
  record('first round, which connects', 's', await fleet.lastRoundSeconds(), 600)
  const connected = await fleet.connected(count)
  record('connected', 'hosts', connected, count, false)
  const { roundSeconds, cpuSeconds, ownCpuSeconds } = await fleet.costOfRounds(2)
  record('a round, all connected', 's', roundSeconds, 30)
  record('share of a core for the watch, with ssh', '%', cpuSeconds * 100, 50)
  record('share of a core for the watch, without ssh', '%', ownCpuSeconds * 100, 10)
  const usage = fleet.usage()
  record('memory of the server', 'MiB', usage.ownBytes / MiB, 150)
  record('memory of one connection', 'MiB', (usage.bytes - usage.ownBytes) / MiB / connected, 4)
  record('descriptors of the server', 'per host', usage.ownDescriptors / connected, 6)

  record('a page of 100 of them, median', 'ms', await fleet.pageMs('/v1/hosts?limit=100'), 100)

  const sent = await fleet.costOf(() => fleet.upload(shipped, `file://${sources}/tiny.tar`, join(folder, 'hosts')))
  record(`${shipped} tiny packages, one each`, 's', sent.seconds, Math.ceil(0.06 * shipped))
  record('such a package, CPU of the server and its ssh', 'ms', (sent.cpuSeconds * 1000) / shipped, 70)
  record('such a package, CPU of the server alone', 'ms', (sent.ownCpuSeconds * 1000) / shipped, 250)
  const installed = await fleet.costOf(() => fleet.installAll())
  record(`installing ${shipped} of them`, 's', installed.seconds, Math.ceil(0.02 * shipped))
  record('an install, CPU of the server and its ssh', 'ms', (installed.cpuSeconds * 1000) / shipped, 70)
  record('an install, CPU of the server alone', 'ms', (installed.ownCpuSeconds * 1000) / shipped, 250)
  record('a page of 100 packages, median', 'ms', await fleet.pageMs('/v1/software-package?limit=100'), 100)
  return figures
}

await sendFigures(measure)
