import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { OpenStreams } from './open-streams.ts'

/** Held calls and streams end at once; the jobs, and then a call that is still being answered, get this long. */
const maxDrainMs = 8000
/** A connection that has just had its answer is idle from then on, and nobody waits for its next call. */
const lookForIdleMs = 50

interface Parts {
  readonly http: FastifyInstance
  readonly plain: Server | undefined
  readonly streams: OpenStreams
  /** Tells the calls that are held to answer now. */
  readonly draining: AbortController
  readonly stopJobs: () => Promise<void>
}

/** Takes no more calls, lets those that run be answered, and leaves no connection. */
export async function drain({ http, plain, streams, draining, stopJobs }: Parts): Promise<void> {
  const servers = plain === undefined ? [http.server] : [http.server, plain]
  draining.abort()
  streams.endAll()
  const timeIsUp = delay(maxDrainMs, undefined, { ref: false })
  // it listens until the jobs have stopped: whoever asks about one meanwhile is told to ask again, not turned away
  await Promise.race([stopJobs(), timeIsUp])
  const closed = Promise.all([http.close(), plain && new Promise((resolve) => plain.close(resolve))])
  const idle = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, lookForIdleMs)
  await Promise.race([closed, timeIsUp])
  clearInterval(idle)
  for (const server of servers) server.closeAllConnections()
}
