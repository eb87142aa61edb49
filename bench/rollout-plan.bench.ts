import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installable } from '@wharf/testkit'
import { filledServer, temporaryFolder } from './bench-server.ts'
import { fillHosts } from './data.ts'
import { type Figure, reach } from './measure.ts'
import { RolloutCalls } from './rollout-calls.ts'

const count = Number(process.env.HOSTS ?? 10_000)
/** Rendered and checked for each host. */
const config = { greeting: 'hello from {{ host.name }}' }
const schema = { type: 'object', properties: { greeting: { type: 'string', maxLength: 100 } } }

/** The plan and the creation of a rollout to ten thousand hosts with a configuration for each. HOSTS=1000 makes it smaller. */
export async function rolloutPlan(rounds: number): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const sources = join(temporaryFolder(cleanup), 'sources')
  mkdirSync(sources)
  writeFileSync(join(sources, 'tiny.tar'), installable({ config: schema }))
  const server = await filledServer(cleanup, (file) => fillHosts(file, count), { WHARF_FILE_ROOTS: sources })
  await server.start()
  const rollouts = new RolloutCalls(server)
  const release = await rollouts.publish(`file://${sources}/tiny.tar`)
  // the host of a new server is not one of them
  const selector = ['name~=host-%']
  const fields = { releaseUuid: release.uuid, selector, config }

  const planned = async (): Promise<number> => {
    const began = performance.now()
    const hosts = await rollouts.dryRun(fields)
    if (hosts !== count) throw new Error(`${hosts} hosts are planned`)
    return (performance.now() - began) / 1000
  }
  const created = async (): Promise<number> => {
    const began = performance.now()
    // nothing is ever sent to these hosts
    const { uuid } = await rollouts.create({ ...fields, requiresApproval: true })
    const seconds = (performance.now() - began) / 1000
    await rollouts.act(uuid, 'deny')
    await rollouts.remove(uuid)
    return seconds
  }
  const name = `rollout to ${count.toLocaleString('en')} hosts, a configuration for each`
  const figures = [
    await reach({ name: `${name}: dry run`, unit: 's', aim: 2, atMost: true }, rounds, planned),
    await reach({ name: `${name}: creation`, unit: 's', aim: 3, atMost: true }, rounds, created),
  ]
  return figures
}
