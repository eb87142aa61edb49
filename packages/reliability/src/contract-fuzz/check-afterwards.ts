import { setTimeout as delay } from 'node:timers/promises'
import { activeJobsQuery } from '@wharf/contract'
import type { FuzzFixture } from './fuzz-fixture.ts'

const maxDrainMs = 60_000
const unfinished = `/v1/api-jobs?q=${activeJobsQuery}&fields=uuid&limit=10000`

/** Faults found after all calls: jobs that do not end, secrets in the log, internal errors. */
export async function checkAfterwards({ server, admin, canaries }: FuzzFixture): Promise<string[]> {
  const found: string[] = []
  const unfinishedJobs = async (): Promise<string[]> =>
    ((await admin.get(unfinished)).body.inventories as { uuid: string }[]).map(({ uuid }) => uuid)
  // blocked jobs end when they are cancelled; jobs that cannot be cancelled end on their own
  for (const uuid of await unfinishedJobs()) await admin.delete(`/v1/api-jobs/${uuid}`)
  const began = performance.now()
  while ((await unfinishedJobs()).length > 0 && performance.now() - began < maxDrainMs) await delay(50)
  const remaining = await unfinishedJobs()
  if (remaining.length > 0) found.push(`${remaining.length} jobs do not end`)

  const lines = server.logText.split('\n')
  const faults = lines.filter((line) => /unexpectedly|"level":"(error|fatal)"/.test(line))
  if (faults.length > 0) found.push(`the log contains ${faults.length} faults: ${faults[0]?.slice(0, 1000)}`)
  const leak = lines.find((line) => canaries.findIn(line).length > 0)
  if (leak !== undefined) found.push(`a secret is in the log: ${leak.slice(0, 1000)}`)
  const { status } = await admin.get(`/v1/accounts/${server.bootstrap.accountUuid}`)
  if (status !== 200) found.push(`the first admin is missing: ${status}`)
  return found
}
