import type { ServerProcess } from '@wharf/testkit'
import { fillAuditTrail, trailEnd } from '../audit-data.ts'
import { filledServer } from '../bench-server.ts'
import { fillHosts, fillPackages } from '../data.ts'
import { fillRolloutTargets, rolloutUuid } from '../rollout-data.ts'
import { session } from '../sign-in.ts'
import { type Curve, latencyCurve } from './curve.ts'
import { Caller, latenciesOf, type TimedWork } from './latency.ts'

/** A page of 50 of so many packages, hosts, audit entries and targets of rollouts, by conditions and in order, over HTTP. */
export async function rowCurves(counts: readonly number[], rounds: number): Promise<Curve[]> {
  const from = (index: number) => index.toString(16).padStart(8, '0')
  return [
    await pages('packages', counts, rounds, fillPackages, (index) => {
      return `/v1/software-package?q=status=Uploaded&q=name>=package-${from(index)}&sort=%2Bname&limit=50`
    }),
    await pages('hosts', counts, rounds, fillHosts, (index) => {
      return `/v1/hosts?q=state=Enabled&q=name>=host-${from(index)}&sort=%2Bname&limit=50`
    }),
    await pages('audit entries', counts, rounds, fillAuditTrail, (index) => {
      const until = new Date(trailEnd - index * 1000).toISOString()
      return `/v1/audit-entries?q=outcome=Success&q=endDate<=${until}&sort=-endDate&limit=50`
    }),
    await pages('rollout targets', counts, rounds, fillRolloutTargets, (index) => {
      return `/v1/rollouts/${rolloutUuid}/targets?q=state=Succeeded&q=wave>=${1 + (index % 5)}&limit=50`
    }),
  ]
}

/** Ten of them are slower than the 99th percentile, which may double: three would be the machine's bad moments. */
const pagesPerRound = 1000

/** That a page of 50 can reach over: at most one row in five does not meet the condition. A page begins so far before the end. */
const rowsOfPage = 65

/** A server for each size, so that they can be measured in turns. */
async function pages(
  name: string,
  counts: readonly number[],
  rounds: number,
  fill: (file: string, count: number) => unknown,
  path: (index: number) => string,
): Promise<Curve> {
  await using cleanup = new AsyncDisposableStack()
  const works: TimedWork[] = []
  for (const count of counts) {
    const server = await filledServer(cleanup, (file) => fill(file, count))
    await server.start()
    works.push(await timedPages(cleanup, server, (index) => path((index * 7) % (count - rowsOfPage))))
  }
  // once for the compiler's sake
  await latenciesOf(works, rounds, pagesPerRound)
  const latencies = await latenciesOf(works, rounds, pagesPerRound)
  const points = latencies.map((latency, index) => [counts[index] ?? 0, latency] as const)
  const about = {
    name: name.replaceAll(' ', '-'),
    title: `A page of 50 ${name}, by q and sort`,
    of: name,
    isInterleaved: true,
  }
  return latencyCurve(about, points)
}

async function timedPages(
  cleanup: AsyncDisposableStack,
  server: ServerProcess,
  path: (index: number) => string,
): Promise<TimedWork> {
  const { url } = server.bootstrap
  const headers = await session(server)
  const caller = new Caller()
  cleanup.defer(() => caller.close())
  for (const index of [0, 1000, 4999]) {
    const { inventories } = (await (await fetch(`${url}${path(index)}`, { headers })).json()) as {
      inventories: unknown[]
    }
    if (inventories.length !== 50) throw new Error(`${path(index)} has ${inventories.length} rows`)
  }
  return (index) => caller.timed({ url: `${url}${path(index)}`, headers })
}
