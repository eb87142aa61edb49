import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Operation } from '@wharf/contract'
import type { FastifyInstance } from 'fastify'
import { bootstrap, dropChangedPassword, nodeUuidOf, refreshBootstrapFile } from './bootstrap.ts'
import type { Settings } from './config.ts'
import { migrate, openDatabase } from './database/open.ts'
import { Events } from './events/events.ts'
import type { Binding } from './http/bind.ts'
import { registerDocs } from './http/docs.ts'
import { createEdge } from './http/edge.ts'
import { makeMetrics } from './http/metrics.ts'
import { OpenStreams } from './http/open-streams.ts'
import { registerProbes } from './http/probes.ts'
import { readCertificate, watchCertificate } from './http/tls.ts'
import type { ScryptCost } from './identity/passwords.ts'
import { Idempotency } from './jobs/idempotency.ts'
import { JobService } from './jobs/service.ts'
import { NodeService } from './management-nodes/service.ts'
import { checkMasterKey } from './master-key-check.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { lockFolder } from './platform/folder-lock.ts'
import type { Log } from './platform/log.ts'
import { readMasterKey } from './platform/master-key.ts'
import { Sealing } from './platform/sealing.ts'
import { makeTimestampFormat } from './platform/timestamps.ts'
import { version } from './platform/version.ts'
import { buildResources, type Foundation, type Resources } from './resources.ts'

export interface AppOptions {
  settings: Settings
  log: Log
  clock?: Clock
  /** Tests hash cheaply. */
  passwordCost?: ScryptCost
  /** Tests add operations of their own. */
  extend?: (foundation: Foundation) => Binding[]
}

export interface App {
  /** Where it listens, with the prefix. */
  readonly url: string
  readonly http: FastifyInstance
  readonly foundation: Foundation
  /** Lets calls and jobs come to a stop, then lets go of everything. */
  close(): Promise<void>
}

const housekeepingMs = 600_000
const sessionUsesMs = 30_000
/** Held calls, streams and idle connections are closed at once; what is left gets this long. */
const drainMs = 8000

export async function startApp(options: AppOptions): Promise<App> {
  const { settings, log, clock = systemClock } = options
  mkdirSync(settings.data, { recursive: true, mode: 0o700 })
  const lock = lockFolder(settings.data)
  const sealing = new Sealing(readMasterKey(settings))
  const database = openDatabase(settings)
  try {
    await migrate(database)
    await checkMasterKey(database, sealing)
  } catch (error) {
    await database.close()
    lock.release()
    throw error
  }

  const nodeUuid = nodeUuidOf(settings.data)
  const events = new Events(database, clock)
  const formatTimestamp = makeTimestampFormat(settings.timezone)
  const jobs = new JobService({ database, events, sealing, clock, log }, nodeUuid)
  const streams = new OpenStreams()
  const foundation: Foundation = {
    settings,
    database,
    events,
    jobs,
    streams,
    sealing,
    clock,
    log,
    formatTimestamp,
    nodeUuid,
  }
  const resources = buildResources(foundation, options.passwordCost)
  const bindings = [...resources.bindings, ...(options.extend?.(foundation) ?? [])]

  const draining = new AbortController()
  const metrics = makeMetrics()
  const http = createEdge(bindings, {
    database,
    jobs,
    idempotency: new Idempotency({ database, sealing, clock }),
    authenticate: resources.authenticate,
    formatTimestamp,
    draining: draining.signal,
    log,
    settings: { ...settings, tls: settings.tls && readCertificate(settings.tls) },
    observe: metrics.observe,
  })
  const served = new Set<Operation>(bindings.map(({ operation }) => operation))
  const document = registerProbes(http, { database, draining: draining.signal, served, basePath: settings.basePath })
  metrics.register(http, { jobs, streams, token: settings.metricsToken })
  registerDocs(http, { openapi: () => document })

  await events.start()
  resources.credentials.start()
  await bootstrap(nodeUuid, { ...resources, database, data: settings.data, adminPassword: settings.adminPassword })
  const { port, plain } = await listen(http, settings)
  const url = addressOf(settings, port)
  const nodes = new NodeService(nodeUuid, foundation)
  await nodes.start(settings.publicUrl ?? url, version)
  await jobs.start(true)
  refreshBootstrapFile(settings.data, nodeUuid, url)
  const stopPasswordWatch = watchBootstrapPassword(settings.data, foundation, resources)
  const certificate =
    settings.tls &&
    watchCertificate(http.server as never, settings.tls, (error) =>
      log.error({ err: error }, 'the new certificate cannot be used'),
    )
  const timers = [
    setInterval(() => resources.sessions.writeUses().catch(() => {}), sessionUsesMs),
    setInterval(() => houseKeeping(foundation, resources), housekeepingMs),
  ]

  const close = async (): Promise<void> => {
    draining.abort()
    for (const timer of timers) clearInterval(timer)
    certificate?.stop()
    stopPasswordWatch()
    streams.endAll()
    plain?.close()
    const closed = http.close()
    http.server.closeIdleConnections()
    await Promise.all([jobs.runner.stop(), Promise.race([closed, delay(drainMs, undefined, { ref: false })])])
    http.server.closeAllConnections()
    nodes.stop()
    await resources.sessions.writeUses().catch(() => {})
    events.stop()
    await database.close()
    lock.release()
  }
  return { url, http, foundation, close }
}

async function listen(http: FastifyInstance, settings: Settings): Promise<{ port: number; plain: Server | undefined }> {
  await http.listen({ host: settings.host, port: settings.port })
  const { port } = http.server.address() as AddressInfo
  if (settings.httpPort === undefined) return { port, plain: undefined }
  const plain = createServer((request, response) => http.routing(request, response))
  await new Promise<void>((resolve, reject) => {
    plain.once('error', reject)
    plain.listen(settings.httpPort, settings.host, resolve)
  })
  return { port, plain }
}

/** An address that this machine can call, also when it listens on all of them. */
function addressOf({ host, basePath, tls }: Settings, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `${tls ? 'https' : 'http'}://${reachable}:${port}${basePath}`
}

function watchBootstrapPassword(data: string, { events, log }: Foundation, { accounts }: Resources): () => void {
  const check = (): void => {
    dropChangedPassword(data, (uuid, password) => accounts.passwordIs(uuid, password)).catch((error: unknown) =>
      log.warn({ err: error }, 'bootstrap.json could not be checked'),
    )
  }
  check()
  return events.subscribe(({ resourceType, type }) => {
    if (resourceType === 'User' && type !== 'Created') check()
  })
}

async function houseKeeping({ events, jobs, database, sealing, clock, log }: Foundation, { sessions }: Resources) {
  const idempotency = new Idempotency({ database, sealing, clock })
  const results = await Promise.allSettled([
    events.removeOld(),
    jobs.removeOld(),
    idempotency.removeOld(),
    sessions.removeOld(),
  ])
  for (const result of results)
    if (result.status === 'rejected') log.warn({ err: result.reason }, 'old rows could not be removed')
}
