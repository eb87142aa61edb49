import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobService } from '../jobs/service.ts'
import { ApiError } from '../platform/api-error.ts'
import { constantTimeEqual, sha256 } from '../platform/constant-time.ts'
import type { Secret } from '../platform/secret.ts'
import type { OpenStreams } from './open-streams.ts'

export interface Metrics {
  observe(operation: string, status: number, seconds: number): void
  register(app: FastifyInstance, parts: { jobs: JobService; streams: OpenStreams; token?: Secret | undefined }): void
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'wharf_request_seconds',
    help: 'Time to answer a call',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 240],
    registers: [registry],
  })
  // finding a series by its labels costs more than counting in it
  const known = new Map<string, Pick<Histogram.Internal<string>, 'observe'>>()
  return {
    observe: (operation, status, seconds) => {
      const key = `${operation} ${status}`
      const series = known.get(key) ?? requests.labels(operation, String(status))
      known.set(key, series)
      series.observe(seconds)
    },
    register: (app, { jobs, streams, token }) => {
      new Gauge({
        name: 'wharf_jobs_active',
        help: 'Jobs that have not ended, in the whole database',
        labelNames: ['state'] as const,
        registers: [registry],
        async collect() {
          this.reset()
          // without the database this one is missing; the others tell what goes on meanwhile
          const active = await jobs.countActive().catch(() => [])
          for (const { state, count } of active) this.set({ state }, count)
        },
      })
      new Gauge({
        name: 'wharf_jobs_running_here',
        help: 'Jobs that this node runs',
        registers: [registry],
        collect() {
          this.set(jobs.runner.runningCount)
        },
      })
      new Gauge({
        name: 'wharf_streams_open',
        help: 'Event and log streams that this node serves',
        registers: [registry],
        collect() {
          this.set(streams.size)
        },
      })
      app.get('/metrics', async (request, reply) => {
        const shown = request.headers.authorization ?? ''
        if (token !== undefined && !constantTimeEqual(sha256(shown), sha256(`Bearer ${token.reveal()}`))) {
          reply.header('www-authenticate', 'Bearer realm="wharf"')
          throw new ApiError('ID.1000', 'these metrics need the bearer token of WHARF_METRICS_TOKEN')
        }
        return reply.header('content-type', registry.contentType).send(await registry.metrics())
      })
    },
  }
}
