import { ApiError } from '@wharf/platform/api-error.ts'
import { constantTimeEqual, sha256 } from '@wharf/platform/constant-time.ts'
import type { Secret } from '@wharf/platform/secret.ts'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(operation: string, status: number, seconds: number): void
  /** Registers metrics of other modules. */
  readonly registry: Registry
  register(app: FastifyInstance, token: Secret | undefined): void
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
  const known = new Map<string, Map<number, Pick<Histogram.Internal<string>, 'observe'>>>()
  const firstOf = (operation: string, status: number) => {
    const series = requests.labels(operation, String(status))
    known.set(operation, (known.get(operation) ?? new Map()).set(status, series))
    return series
  }
  return {
    observe: (operation, status, seconds) => {
      const series = known.get(operation)?.get(status) ?? firstOf(operation, status)
      series.observe(seconds)
    },
    registry,
    register: (app, token) => {
      // the library keeps the registry as long as the process runs, and its gauges refer to the whole server
      app.addHook('onClose', async () => registry.clear())
      app.get('/metrics', async (request, reply) => {
        const shown = request.headers.authorization ?? ''
        if (token !== undefined && !constantTimeEqual(sha256(shown), sha256(`Bearer ${token.reveal()}`))) {
          reply.header('www-authenticate', 'Bearer realm="wharf"')
          throw new ApiError('ID.1000', 'these metrics need the bearer token of WHARF_METRICS_TOKEN')
        }
        reply.header('content-type', registry.contentType).header('cache-control', 'no-store')
        return reply.send(await registry.metrics())
      })
    },
  }
}
