import { SingleFlight } from '@wharf/platform/single-flight.ts'
import type { Idempotency } from '../jobs/idempotency.ts'
import type { NodeService } from '../resources/management-nodes/service.ts'
import { dropChangedPassword } from './bootstrap-file.ts'
import type { Foundation, Resources } from './resources.ts'

const removeOldMs = 600_000
const sessionUsesMs = 30_000
const lookMs = 30_000

/** What a server that runs does by itself. Returns how to stop it. */
export function startUpkeep(foundation: Foundation, resources: Resources, idempotency: Idempotency): () => void {
  const removing = new SingleFlight()
  const timers = [
    setInterval(() => void resources.sessions.writeUses().catch(() => {}), sessionUsesMs),
    setInterval(() => void lookAround(foundation, resources), lookMs),
    setInterval(() => void removing.run(() => removeOld(foundation, resources, idempotency)), removeOldMs),
  ]
  const watches = [watchBootstrapPassword(foundation, resources), followUsers(foundation, resources)]
  return () => {
    for (const timer of timers) clearInterval(timer)
    for (const stop of watches) stop()
  }
}

function watchBootstrapPassword({ settings, events, log }: Foundation, { accounts }: Resources): () => void {
  const check = (): void => {
    dropChangedPassword(settings.data, (uuid, password) => accounts.passwordIs(uuid, password)).catch(
      (error: unknown) => log.warn({ err: error }, 'bootstrap.json could not be checked'),
    )
  }
  check()
  return events.subscribe(({ resourceType, type }) => {
    if (resourceType === 'User' && type !== 'Created') check()
  })
}

/** The bytes that a deleted user has sent to this node go with the user, whichever node it was deleted at. */
function followUsers({ events, log }: Foundation, { uploads }: Resources): () => void {
  return events.subscribe(({ resourceType, type }) => {
    if (resourceType !== 'User' || type === 'Created') return
    uploads.followUsers().catch((error: unknown) => log.warn({ err: error }, 'uploads wait for the next sweep'))
  })
}

/** What is on the machine of a node comes and goes with the node. */
export function followNodes(nodes: NodeService, foundation: Foundation, resources: Resources): void {
  nodes.onDeath(async (tx, nodeUuid) => {
    await resources.hosts.loseNode(tx, nodeUuid)
    await resources.backupStorage.loseNode(tx, nodeUuid)
  })
  nodes.onReturn(() => void lookAround(foundation, resources))
}

async function lookAround({ log }: Foundation, { hosts, backupStorage }: Resources): Promise<void> {
  const look = (what: string, looking: Promise<void>): Promise<void> =>
    looking.catch((error: unknown) => log.warn({ err: error }, `the ${what} could not be looked at`))
  await Promise.all([look('hosts', hosts.probeAll()), look('backup storage', backupStorage.probeAll())])
}

/** One after another: together they would take all of the time that batches leave to calls. */
export async function removeOld(
  { events, jobs, log }: Foundation,
  { sessions, uploads, zips, platforms, chat }: Resources,
  idempotency: Idempotency,
) {
  const removals = [
    () => events.removeOld(),
    () => jobs.removeOld(),
    () => idempotency.removeOld(),
    () => sessions.removeOld(),
    () => platforms.removeOldAlerts(),
    () => chat.deliveries.removeOld(),
    () => uploads.removeExpired(),
    () => zips.removeStrays(),
  ]
  for (const remove of removals)
    await remove().catch((error: unknown) => log.warn({ err: error }, 'old rows could not be removed'))
}
