import { SingleFlight } from '@wharf/platform/single-flight.ts'
import { asSystem } from '../audit/audit-source.ts'
import type { Idempotency } from '../jobs/idempotency.ts'
import type { NodeService } from '../resources/management-nodes/service.ts'
import { dropChangedPassword } from './bootstrap-file.ts'
import type { Foundation, Resources } from './resources.ts'

const removeOldMs = 600_000
const sessionUsesMs = 30_000
const keyUsesMs = 60_000
const probeIntervalMs = 30_000
const heldMessagesMs = 5000
const expiryReportsMs = 600_000

/** Starts the periodic work. Returns a function that stops it. */
export function startUpkeep(foundation: Foundation, resources: Resources, idempotency: Idempotency): () => void {
  const removing = new SingleFlight()
  const timers = [
    setInterval(() => void resources.sessions.writeUses().catch(() => {}), sessionUsesMs),
    setInterval(() => void resources.keys.writeUses().catch(() => {}), keyUsesMs),
    setInterval(() => void probeAll(foundation, resources), probeIntervalMs),
    setInterval(() => void sendHeldMessages(foundation), heldMessagesMs),
    setInterval(() => void reportExpiries(foundation, resources), expiryReportsMs),
    setInterval(() => void removing.run(() => removeOld(foundation, resources, idempotency)), removeOldMs),
  ]
  const watches = [
    watchBootstrapPassword(foundation, resources),
    followUsers(foundation, resources),
    resources.hosts.followChanges(),
    resources.backupStorage.followChanges(),
    resources.verification.start(),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
    for (const stop of watches) stop()
  }
}

async function sendHeldMessages({ systemEvents, log }: Foundation): Promise<void> {
  await systemEvents.sendHeld().catch((error: unknown) => log.warn({ err: error }, 'held messages could not be queued'))
}

async function reportExpiries({ log }: Foundation, { expiryReports }: Resources): Promise<void> {
  await expiryReports
    .send()
    .catch((error: unknown) => log.warn({ err: error }, 'access keys that expire soon could not be reported'))
}

function watchBootstrapPassword({ settings, events, log }: Foundation, { passwordChanges }: Resources): () => void {
  const check = (): void => {
    dropChangedPassword(settings.data, (uuid, password) => passwordChanges.isPasswordOf(uuid, password)).catch(
      (error: unknown) => log.warn({ err: error }, 'bootstrap.json could not be checked'),
    )
  }
  check()
  return events.subscribe(({ resourceType, type }) => {
    if (resourceType === 'User' && type !== 'Created') check()
  })
}

/** Deletes the uploads of a deleted user on this node, whichever node deleted the user. */
function followUsers({ events, log }: Foundation, { uploads }: Resources): () => void {
  return events.subscribe(({ resourceType, type }) => {
    if (resourceType !== 'User' || type === 'Created') return
    uploads.followUsers().catch((error: unknown) => log.warn({ err: error }, 'uploads wait for the next sweep'))
  })
}

/** The host and storage of a node are connected while the node is alive. */
export function followNodes(nodes: NodeService, foundation: Foundation, resources: Resources): void {
  nodes.onLost(async (tx, nodeUuid) => {
    await resources.hosts.disconnectRecordsOn(tx, nodeUuid)
    await resources.backupStorage.disconnectRecordsOn(tx, nodeUuid)
  })
  nodes.onReturned(() => void probeAll(foundation, resources))
}

async function probeAll({ log }: Foundation, { hosts, backupStorage }: Resources): Promise<void> {
  const probe = (what: string, probing: Promise<void>): Promise<void> =>
    probing.catch((error: unknown) => log.warn({ err: error }, `probing the ${what} failed`))
  await Promise.all([
    probe(
      'hosts',
      asSystem('ProbeHosts', () => hosts.probeAll()),
    ),
    probe(
      'backup storage',
      asSystem('ProbeBackupStorage', () => backupStorage.probeAll()),
    ),
  ])
}

/** One after another: in parallel they would use all the time between batches. */
export async function removeOld(
  { audit, events, systemEvents, jobs, log }: Foundation,
  { sessions, secondFactors, deviceLogins, nonces, oidc, uploads, zips, hosts, alerts, chat }: Resources,
  idempotency: Idempotency,
) {
  const removals: (() => Promise<unknown>)[] = [
    () => events.removeOld(),
    () => jobs.removeOld(),
    () => idempotency.removeOld(),
    () => sessions.removeOld(),
    () => secondFactors.removeOld(),
    () => deviceLogins.removeOld(),
    () => nonces.removeOld(),
    () => oidc.signIns.removeOld(),
    () => hosts.metrics.removeOld(),
    () => alerts.removeOld(),
    () => chat.deliveries.removeOld(),
    () => systemEvents.removeOld(),
    () => asSystem('ExpireUploads', () => uploads.removeExpired()),
    () => zips.removeStrays(),
    () => audit.removeOld(),
  ]
  for (const remove of removals)
    await asSystem('Retention', remove).catch((error: unknown) =>
      log.warn({ err: error }, 'old rows could not be removed'),
    )
}
