import { setTimeout as delay } from 'node:timers/promises'
import type { FuzzWorld } from './world.ts'

const maxDrainMs = 60_000
const unfinished = '/v1/api-jobs?q=state?=Waiting,Running,Undoing&fields=uuid&limit=10000'

/** What is not as it should be once all calls have been made: jobs that do not end, secrets in the log, faults of ours. */
export async function aftermathOf({ server, admin, canaries }: FuzzWorld): Promise<string[]> {
  const complaints: string[] = []
  const left = async (): Promise<string[]> =>
    ((await admin.get(unfinished)).body.inventories as { uuid: string }[]).map(({ uuid }) => uuid)
  // what is held ends when it is cancelled; what cannot be cancelled ends by itself
  for (const uuid of await left()) await admin.delete(`/v1/api-jobs/${uuid}`)
  const began = performance.now()
  while ((await left()).length > 0 && performance.now() - began < maxDrainMs) await delay(50)
  const undead = await left()
  if (undead.length > 0) complaints.push(`${undead.length} jobs do not end`)

  const lines = server.logText.split('\n')
  const faults = lines.filter((line) => /unexpectedly|"level":"(error|fatal)"/.test(line))
  if (faults.length > 0) complaints.push(`the log tells of ${faults.length} faults: ${faults[0]?.slice(0, 1000)}`)
  const leak = lines.find((line) => canaries.findIn(line).length > 0)
  if (leak !== undefined) complaints.push(`a secret is in the log: ${leak.slice(0, 1000)}`)
  const { status } = await admin.get(`/v1/accounts/${server.bootstrap.accountUuid}`)
  if (status !== 200) complaints.push(`the first admin is gone: ${status}`)
  return complaints
}
