import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { OpenStreams } from './open-streams.ts'

/** Waiting calls and streams end immediately; jobs, and then calls in progress, have this long. */
const maxDrainMs = 8000
/** A connection is idle after its response; closing does not wait for its next call. */
const idleCheckMs = 50

interface DrainDeps {
  readonly http: FastifyInstance
  readonly plain: Server | undefined
  readonly streams: OpenStreams
  /** Makes waiting calls respond now. */
  readonly draining: AbortController
  readonly stopJobs: () => Promise<void>
}

/** Accepts no more calls, finishes those in progress, and closes all connections. */
export async function drain({ http, plain, streams, draining, stopJobs }: DrainDeps): Promise<void> {
  const servers = plain === undefined ? [http.server] : [http.server, plain]
  draining.abort()
  streams.endAll()
  const timeIsUp = delay(maxDrainMs, undefined, { ref: false })
  // listens until the jobs have stopped: a poll gets "try again" instead of a refused connection
  await Promise.race([stopJobs(), timeIsUp])
  const closed = Promise.all([http.close(), plain && new Promise((resolve) => plain.close(resolve))])
  const idle = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, idleCheckMs)
  await Promise.race([closed, timeIsUp])
  clearInterval(idle)
  for (const server of servers) server.closeAllConnections()
}
