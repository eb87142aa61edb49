import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installable, ServerProcess } from '@wharf/testkit'
import { fillSshHosts } from './data.ts'
import { HostFleet } from './host-fleet.ts'
import { type Figure, reach } from './measure.ts'
import { simulateHosts } from './thousand-hosts.ts'

const count = Number(process.env.HOSTS ?? 1000)
/** Hosts that get a package; the more, the longer it takes. */
const shipped = Math.min(count, Number(process.env.PACKAGES ?? count))
/** Enough to know what adding one costs. */
const addedByApi = Math.min(20, count)
const MiB = 2 ** 20

const folder = mkdtempSync(join(tmpdir(), 'wharf-bench-'))
const sources = join(folder, 'sources')
mkdirSync(sources)
writeFileSync(join(sources, 'tiny.tar'), installable())
const data = join(folder, 'data')
const hosts = await simulateHosts(folder, [join(data, 'ssh/id_ed25519.pub')])
const server = new ServerProcess({ WHARF_DATA: data, WHARF_PORT: '0', WHARF_FILE_ROOTS: sources })

const figures: Figure[] = []
/** As good as it was, or at most so much. */
const tell = async (name: string, unit: string, value: number, aim: number): Promise<void> => {
  figures.push(await reach({ name: `${count} hosts: ${name}`, unit, aim, atMost: true }, 1, async () => value))
  process.stderr.write(`${name}: ${value} ${unit}\n`)
}

try {
  await server.start(60_000)
  const fleet = new HostFleet(server, hosts)
  const adding = await fleet.costOf(() => fleet.add(addedByApi))
  await tell('adding one, CPU of the server and its ssh', 'ms', (adding.cpuSeconds * 1000) / addedByApi, 2000)
  await server.stop()

  fillSshHosts(join(data, 'wharf.db'), { from: addedByApi, to: count, ...hosts })
  await server.start(60_000)
  const connecting = await fleet.costOf(() => fleet.endOfRound())
  await tell('first round, which connects, CPU', 's', connecting.cpuSeconds, 0.2 * count)
  await tell('first round, which connects', 's', await fleet.lastRoundSeconds(), 600)
  const connected = await fleet.connected(count)
  figures.push(await reach({ name: `${count} hosts: connected`, unit: '', aim: count }, 1, async () => connected))
  process.stderr.write(`connected: ${connected}\n`)
  const { lasting, cpuSeconds, ownCpuSeconds } = await fleet.costOfRounds(2)
  await tell('a round, all connected', 's', lasting, 30)
  await tell('share of a core for the watch, with ssh', '%', cpuSeconds * 100, 50)
  await tell('share of a core for the watch, without ssh', '%', ownCpuSeconds * 100, 10)
  const standing = fleet.use()
  await tell('memory of the server', 'MiB', standing.ownBytes / MiB, 300)
  await tell('memory of one connection', 'MiB', (standing.bytes - standing.ownBytes) / MiB / connected, 4)
  await tell('descriptors per host', '', standing.ownDescriptors / connected, 6)

  await tell('a page of 100 of them, median', 'ms', await fleet.pageMs('/v1/hosts?limit=100'), 100)

  const sent = await fleet.costOf(() => fleet.upload(shipped, `file://${sources}/tiny.tar`, join(folder, 'hosts')))
  await tell(`${shipped} tiny packages, one each`, 's', sent.seconds, 1.2 * shipped)
  await tell('such a package, CPU of the server and its ssh', 'ms', (sent.cpuSeconds * 1000) / shipped, 500)
  await tell('such a package, CPU of the server alone', 'ms', (sent.ownCpuSeconds * 1000) / shipped, 250)
  const installed = await fleet.costOf(() => fleet.installAll())
  await tell(`installing ${shipped} of them`, 's', installed.seconds, 1.2 * shipped)
  await tell('an install, CPU of the server and its ssh', 'ms', (installed.cpuSeconds * 1000) / shipped, 500)
  await tell('an install, CPU of the server alone', 'ms', (installed.ownCpuSeconds * 1000) / shipped, 250)
  await tell('a page of 100 packages, median', 'ms', await fleet.pageMs('/v1/software-package?limit=100'), 100)
} finally {
  await server.stop()
  hosts.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.send?.(figures)
process.disconnect?.()
