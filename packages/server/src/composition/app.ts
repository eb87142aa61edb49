import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { dirname } from 'node:path'
import type { Operation } from '@wharf/contract'
import { DatabaseClock } from '@wharf/database/database-clock.ts'
import { migrate, openDatabase, sqliteFile } from '@wharf/database/open.ts'
import type { OpenedDatabase } from '@wharf/database/sqlite.ts'
import { checkLater, damagedFile, refuseDamaged } from '@wharf/database/sqlite-check.ts'
import { type Clock, systemClock } from '@wharf/platform/clock.ts'
import { lockFolder } from '@wharf/platform/folder-lock.ts'
import { HangProbe } from '@wharf/platform/hang-probe.ts'
import type { Log } from '@wharf/platform/log.ts'
import { ServerAddress } from '@wharf/platform/server-address.ts'
import { makeTimestampFormat } from '@wharf/platform/timestamps.ts'
import { type UserLimits, userLimits } from '@wharf/platform/user-limits.ts'
import { prepareServerKey } from '@wharf/ssh/server-key.ts'
import type { FastifyInstance } from 'fastify'
import { asSystem } from '../audit/audit-source.ts'
import { DigestSigningKey } from '../audit/digest-signing-key.ts'
import { type AuditLimits, AuditService, auditLimits } from '../audit/service.ts'
import { Outbox } from '../events/outbox.ts'
import { AuditedCalls } from '../http/audited-call.ts'
import { registerConsole } from '../http/console.ts'
import { devicePaths, registerDeviceGrant } from '../http/device-grant.ts'
import { registerDocs } from '../http/docs.ts'
import { drain } from '../http/drain.ts'
import { createEdge } from '../http/edge.ts'
import type { ServedBinding } from '../http/exchange.ts'
import { addressOf, listen, plainListener } from '../http/listen.ts'
import { makeMetrics } from '../http/metrics.ts'
import { OpenStreams } from '../http/open-streams.ts'
import { redirectRoot, registerProbes, type WriteChecks } from '../http/probes.ts'
import { createRelay } from '../http/relay/forward-request.ts'
import { Hops } from '../http/relay/relay-hop.ts'
import { retryBinding } from '../http/retry-job.ts'
import { readCertificate, watchCertificate } from '../http/tls.ts'
import { UnsentBytes } from '../http/unsent-bytes.ts'
import { WaitingCallLimit } from '../http/waiting-call-limit.ts'
import { Idempotency } from '../jobs/idempotency.ts'
import type { JobLimits } from '../jobs/limits.ts'
import { JobService } from '../jobs/service.ts'
import { ingestPaths, registerIngestion } from '../resources/alerts/ingest-route.ts'
import { digestTarget } from '../resources/audit-entries/digest-target.ts'
import { type DeliveryLimits, deliveryLimits } from '../resources/chat-endpoints/delivery-limits.ts'
import { DeliveryService } from '../resources/chat-endpoints/service.ts'
import type { OidcLimits } from '../resources/identity/oidc/limits.ts'
import { oidcPaths, registerOidc } from '../resources/identity/oidc/routes.ts'
import type { ScryptCost } from '../resources/identity/passwords.ts'
import { nodeAddress } from '../resources/management-nodes/node-address.ts'
import { NodeService, NodeStore } from '../resources/management-nodes/service.ts'
import { exportPaths, registerExports } from '../resources/migration/export/export-route.ts'
import type { CoordinatorLimits } from '../resources/rollouts/coordinator.ts'
import { SystemEvents } from '../resources/system-events/service.ts'
import { registerUploads, uploadPaths } from '../resources/uploads/tus.ts'
import { bootstrap, nodeUuidOf, nodeUuidPath, refreshBootstrapFile } from './bootstrap.ts'
import { adoptNodeUuid, refuseLostDatabase, refuseOlderDatabase, removeLastWrite } from './database-checks.ts'
import { openSealing } from './master-key-check.ts'
import { listRunningNodes, MasterKeyRotation } from './master-key-rotation.ts'
import { registerGauges } from './register-gauges.ts'
import { buildResources, type Foundation, type Resources } from './resources.ts'
import type { Settings } from './settings.ts'
import { StorageMonitor } from './storage-monitor.ts'
import { followNodes, startUpkeep } from './upkeep.ts'

export interface AppOptions {
  settings: Settings
  log: Log
  /** For tests: replaces the database's time for records. */
  clock?: Clock
  /** For tests: the clock of this machine. */
  nodeClock?: Clock
  /** For tests: cheap hashes. */
  passwordCost?: ScryptCost
  /** For tests: shorter waits. */
  jobLimits?: Partial<JobLimits>
  auditLimits?: Partial<AuditLimits>
  deliveryLimits?: Partial<DeliveryLimits>
  rolloutLimits?: Partial<CoordinatorLimits>
  oidcLimits?: Partial<OidcLimits>
  /** Of these the ones that are counted in memory. */
  userLimits?: Partial<UserLimits>
  /** The data folder was removed or replaced; the process must exit. */
  onLost?: (error: Error) => void
  /** The folder of the built console; without it the root redirects to the reference. */
  consoleFolder?: string
  /** For tests: further operations. */
  extend?: (foundation: Foundation) => ServedBinding[]
}

export interface App {
  /** The address with the prefix. */
  readonly url: string
  /** The plain address, in addition to one with TLS. */
  readonly plainUrl: string | undefined
  readonly http: FastifyInstance
  readonly foundation: Foundation
  /** Finishes calls and releases jobs, then closes everything. */
  close(): Promise<void>
}

/** Starts the parts in order, and stops them in reverse: at the end, or when a later part fails to start. */
export async function startApp(options: AppOptions): Promise<App> {
  const { settings, log } = options
  const certificate = settings.tls && readCertificate(settings.tls)
  await using started = new AsyncDisposableStack()

  started.use(lockFolder(settings.data))
  refuseLostDatabase(settings)
  const report = (error: unknown) => log.error({ err: error }, 'the work after a commit failed')
  const database = started.adopt(await openDatabase(settings, report), (opened) => opened.close())
  const isTooLargeToCheckNow = await refuseDamaged(database, sqliteFile(settings.data))
  if (!existsSync(nodeUuidPath(settings.data))) await adoptNodeUuid(database, settings.data)
  await refuseOlderDatabase(database, settings.data)
  await migrate(database)
  let watch: StorageMonitor | undefined
  started.defer(() => removeLastWrite(settings.data))
  started.defer(() => watch?.stop())
  if (database.faults)
    database.faults.disk = started.adopt(new HangProbe(dirname(sqliteFile(settings.data))), (probe) => probe.stop())
  const sealing = await openSealing(database, settings)

  const databaseClock = await DatabaseClock.measure(database, options.nodeClock ?? systemClock)
  const signingKey = await DigestSigningKey.load({ database, sealing })
  const foundation = layFoundation(options, { database, sealing, databaseClock }, signingKey)
  const { audit, events, jobs, streams } = foundation
  const resources = buildResources(foundation, options)
  const nodes = new NodeService(foundation)
  followNodes(nodes, foundation, resources)
  const idempotency = new Idempotency({ ...foundation, accounts: resources.accounts, userLimits: limitsOf(options) })
  const draining = new AbortController()
  const writes = {
    diskRefusal: () => watch?.refusal,
    databaseRefusal: () => nodes.writeRefusal(),
    auditRefusal: () => audit.refusal(),
    auditWarnings: () => audit.warnings(),
  }
  const deps = { foundation, resources, nodes, idempotency, writes, draining: draining.signal, certificate }
  const http = buildHttp(options, deps)
  const plain = settings.httpPort === undefined ? undefined : plainListener(http, settings.errorAlone)

  started.defer(() => events.stop())
  await events.start()
  resources.credentials.start()
  started.defer(() => resources.sessions.writeUses().catch(() => {}))
  started.defer(() => resources.keys.writeUses().catch(() => {}))

  const setUp = { ...resources, nodes, database, data: settings.data, adminPassword: settings.adminPassword }
  started.defer(() => audit.stop())
  await audit.start(digestTarget(settings.auditDigests, resources))
  await asSystem('Bootstrap', () => bootstrap(settings.publicUrl ?? addressOf(settings, settings.port), setUp))
  const serverKey = prepareServerKey(settings.data).catch((error: unknown) =>
    log.warn({ err: error }, 'the SSH key of this server could not be created; it is retried when a host needs it'),
  )
  started.defer(() => serverKey)

  started.defer(() => nodes.stop())
  started.defer(() => resources.hosts.drivers.closeAll())
  started.defer(() => resources.backupStorage.drivers.closeAll())
  started.defer(() => resources.uploads.close())
  await resources.uploads.start()
  await resources.zips.start()
  started.defer(() => resources.releaseCache.close())
  await resources.releaseCache.start()
  await resources.elaborations.start()
  started.defer(() => resources.elaborations.stop())
  started.defer(() => resources.templates.close())
  started.defer(() => resources.fleet.renderer.close())
  const { coordinator } = resources.fleet
  const stopJobs = async () =>
    void (await Promise.all([coordinator.stop(), jobs.runner.stop(), resources.chat.worker.stop()]))
  started.defer(() => drain({ http, plain, streams, draining, stopJobs }))
  const [url = '', plainUrl] = await listen(http, plain, settings)
  foundation.ownAddress.listensAt(url)
  await nodes.start(nodeAddress(settings, url), foundation.ownAddress.url)
  const listRunning = () => listRunningNodes(new NodeStore(database))
  const rotation = new MasterKeyRotation({ ...foundation, listRunning, onLost: onLostOf(options) })
  started.defer(() => rotation.stop())
  await rotation.start()
  watch = await watchStorage(options, { database, nodes })
  started.defer(() => resources.candidateHosts.stop())
  await resources.candidateHosts.start()
  await jobs.start(true)
  await resources.chat.worker.start()
  coordinator.start()
  started.defer(() => resources.oidc.refreshes.stop())
  resources.oidc.refreshes.start()
  await refreshBootstrapFile(url, setUp)
  await serverKey
  started.defer(startUpkeep(foundation, resources, idempotency))
  if (isTooLargeToCheckNow) started.defer(checkInBackground(options, database))
  if (settings.tls) started.adopt(followCertificate(http.server, settings.tls, log), (watch) => watch.stop())

  const running = started.move()
  return { url, plainUrl, http, foundation, close: () => running.disposeAsync() }
}

function layFoundation(
  options: AppOptions,
  { database, sealing, databaseClock }: Pick<Foundation, 'database' | 'sealing' | 'databaseClock'>,
  signingKey: DigestSigningKey,
): Foundation {
  const { settings, log, clock = databaseClock, jobLimits: limits } = options
  const nodeUuid = nodeUuidOf(settings.data)
  const audit = new AuditService({
    ...{ database, clock, log, sealing, nodeUuid, signingKey, settings },
    limits: { ...auditLimits, ...options.auditLimits },
  })
  const events = new Outbox({ database, clock, log, audit: audit.trail })
  const messageLimits = { ...deliveryLimits, ...options.deliveryLimits }
  const deliveries = new DeliveryService({ database, events, clock, limits: messageLimits })
  const systemEvents = new SystemEvents({ database, clock, deliveries })
  return {
    settings,
    database,
    audit,
    auditedCalls: new AuditedCalls({ audit, clock, settings }),
    events,
    systemEvents,
    jobs: new JobService({
      ...{ database, audit: audit.trail, events, systemEvents, sealing, clock, log, limits, nodeUuid },
      nodes: new NodeStore(database),
    }),
    streams: new OpenStreams(limitsOf(options), new UnsentBytes({ log })),
    sealing,
    clock,
    databaseClock,
    log,
    formatTimestamp: makeTimestampFormat(settings.timezone),
    nodeUuid,
    ownAddress: new ServerAddress(settings.publicUrl),
  }
}

const onLostOf = ({ onLost, log }: AppOptions): ((error: Error) => void) =>
  onLost ?? ((error) => log.fatal({ err: error }, error.message))

async function watchStorage(options: AppOptions, deps: { database: OpenedDatabase; nodes: NodeService }) {
  const { settings } = options
  const onLost = onLostOf(options)
  const watch = new StorageMonitor({ database: deps.database, settings, nodeUuid: deps.nodes.uuid, onLost })
  await watch.start()
  return watch
}

/** The thread of the check would delay the rest of the start. */
const checkAfterMs = 1000

function checkInBackground({ settings, log }: AppOptions, { faults }: OpenedDatabase): () => void {
  const file = sqliteFile(settings.data)
  let stop: (() => void) | undefined
  const check = (): void => {
    stop = checkLater(file, {
      onDamage: (found) => {
        if (faults) faults.damage ??= found.join('; ')
        log.error({ err: damagedFile(file, found) }, 'the database is damaged')
      },
      onFailure: (error) =>
        log.warn({ err: error }, `${file} could not be checked for damage; run wharf-server check to do so`),
    })
  }
  const timer = setTimeout(check, checkAfterMs)
  return () => {
    clearTimeout(timer)
    stop?.()
  }
}

interface HttpDeps {
  foundation: Foundation
  resources: Resources
  nodes: NodeService
  idempotency: Idempotency
  writes: WriteChecks
  draining: AbortSignal
  certificate: ReturnType<typeof readCertificate> | undefined
}

const limitsOf = (options: AppOptions): UserLimits => ({ ...userLimits, ...options.userLimits })

function buildHttp(options: AppOptions, deps: HttpDeps): FastifyInstance {
  const { extend, consoleFolder } = options
  const limits = limitsOf(options)
  const { foundation, resources, nodes, draining, certificate } = deps
  const { settings, database, jobs } = foundation
  const resourceBindings = [...resources.bindings, ...(extend?.(foundation) ?? [])]
  const bindings = [...resourceBindings, retryBinding({ jobs, database }, resourceBindings)]
  for (const { job } of bindings) if (job) jobs.runner.register(job)
  for (const job of resources.fleet.targetJobs.definitions) jobs.runner.register(job)
  const metrics = makeMetrics()
  const hops = new Hops(foundation.sealing, () => foundation.databaseClock.now())
  const http = createEdge(bindings, {
    ...foundation,
    hops,
    relay: createRelay({ hops, nodes, caFile: settings.caFile }),
    idempotency: deps.idempotency,
    waitingCalls: new WaitingCallLimit(limits.waitingCalls),
    authenticate: resources.authenticate,
    credentials: resources.credentials,
    nonces: resources.nonces,
    draining,
    settings: { ...settings, tls: certificate },
    observe: metrics.observe,
    otherPaths: [...devicePaths, ...uploadPaths, ...ingestPaths, ...exportPaths, ...oidcPaths],
  })
  const served = new Set<Operation>(bindings.map(({ operation }) => operation))
  const { clockCheck } = nodes
  const { writes } = deps
  const document = registerProbes(http, { ...settings, database, jobs, clockCheck, writes, draining, served })
  if (consoleFolder === undefined || !registerConsole(http, consoleFolder, settings)) redirectRoot(http, 'docs')
  const { hosts, uploads, chat } = resources
  registerGauges(metrics.registry, { ...foundation, hosts, uploads, deliveries: chat.deliveries })
  metrics.register(http, settings.metricsToken)
  registerDocs(http, { openapi: document })
  registerUploads(http, { uploads: resources.uploads, draining })
  registerDeviceGrant(http, { ...foundation, deviceLogins: resources.deviceLogins, draining })
  registerIngestion(http, { ingestion: resources.ingestion, draining })
  registerOidc(http, { logouts: resources.oidc.logouts, auditedCalls: foundation.auditedCalls, draining })
  registerExports(http, { migration: resources.migration, draining })
  return http
}

const followCertificate = (server: Server, files: NonNullable<Settings['tls']>, log: Log) =>
  watchCertificate(server as never, files, (error) => log.error({ err: error }, 'the new certificate cannot be used'))
