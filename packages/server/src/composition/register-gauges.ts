import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { version } from '@wharf/platform/version.ts'
import { Gauge, type Registry } from 'prom-client'
import type { Outbox } from '../events/outbox.ts'
import type { JobService } from '../jobs/service.ts'
import type { DeliveryService } from '../resources/chat-endpoints/delivery-service.ts'
import type { HostService } from '../resources/hosts/service.ts'
import { NodeStore } from '../resources/management-nodes/service.ts'
import type { UploadService } from '../resources/uploads/service.ts'

interface GaugeDeps {
  readonly database: Database
  readonly events: Outbox
  readonly jobs: JobService
  readonly streams: {
    readonly size: number
    readonly unsent: { readonly total: number; readonly disconnected: number }
  }
  readonly hosts: HostService
  readonly uploads: UploadService
  readonly deliveries: DeliveryService
  readonly clock: Clock
  readonly nodeUuid: string
}

interface Sample {
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

interface Row {
  readonly name: `wharf_${string}`
  readonly help: string
  readonly label?: string
  readonly samples: () => Promise<readonly Sample[]> | readonly Sample[]
}

/** Metrics query the database at most this often, regardless of the number of scrapes. */
const freshMs = 2000

/** The gauges besides calls. To add one, add a row; a gauge that cannot be read is omitted. */
export function registerGauges(registry: Registry, deps: GaugeDeps): void {
  for (const { name, help, label, samples } of [...ofThisNode(deps), ...ofTheDatabase(deps)])
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        this.reset()
        // a gauge without labels starts with 0, which is not a measurement
        if (label === undefined) this.remove()
        // without the database some are omitted; the others are still reported
        for (const { labels = {}, value } of await known(samples)) this.set(labels, value)
      },
    })
}

function ofThisNode({ database, events, jobs, streams, hosts, uploads, clock, nodeUuid }: GaugeDeps): Row[] {
  return [
    {
      name: 'wharf_info',
      help: 'Always 1; the label is the version of this node',
      label: 'version',
      samples: () => [{ value: 1, labels: { version } }],
    },
    {
      name: 'wharf_jobs_running_here',
      help: 'Jobs that this node runs',
      samples: () => [{ value: jobs.runner.runningCount }],
    },
    {
      name: 'wharf_streams_open',
      help: 'Event and log streams that this node serves',
      samples: () => [{ value: streams.size }],
    },
    {
      name: 'wharf_unsent_bytes',
      help: 'Memory of responses that their readers have not taken yet',
      samples: () => [{ value: streams.unsent.total }],
    },
    {
      name: 'wharf_readers_cut_off',
      help: 'Stalled readers that were disconnected since the start, because unsent responses had reached their limit',
      samples: () => [{ value: streams.unsent.disconnected }],
    },
    {
      name: 'wharf_event_lag_seconds',
      help: 'The age of the newest state of the database that this node has received',
      samples: () => [{ value: Math.max(0, clock.now() - events.currentAsOf()) / 1000 }],
    },
    {
      name: 'wharf_database_connections',
      help: 'Connections of this node to PostgreSQL, and calls that wait for one',
      label: 'state',
      samples: () =>
        Object.entries(database.connections?.() ?? {}).map(([state, value]) => ({ value, labels: { state } })),
    },
    {
      name: 'wharf_host_watch_seconds',
      help: 'Duration of the last round of this node over the hosts that it watches',
      samples: () =>
        hosts.probeSchedule.lastRoundSeconds === undefined ? [] : [{ value: hosts.probeSchedule.lastRoundSeconds }],
    },
    {
      name: 'wharf_spool_free_bytes',
      help: 'Free space where this node keeps unfinished uploads',
      samples: async () => [{ value: await uploads.freeBytes() }],
    },
    {
      name: 'wharf_uploads_open',
      help: 'Unfinished uploads whose slices are on this node',
      samples: fresh(clock, async () => [{ value: await uploads.countOpen(nodeUuid) }]),
    },
  ]
}

/** The same on every node. */
function ofTheDatabase({ database, jobs, hosts, deliveries, clock }: GaugeDeps): Row[] {
  const ageOf = (date: number | null): number => (date === null ? 0 : Math.max(0, clock.now() - date) / 1000)
  const nodes = fresh(clock, () => new NodeStore(database).listHeartbeatAges())
  const active = fresh(clock, () => jobs.countActive())
  const backlog = fresh(clock, () => deliveries.backlog())
  return [
    {
      name: 'wharf_nodes',
      help: 'Management nodes by status',
      label: 'status',
      samples: async () => {
        const all = await nodes()
        return (['Alive', 'Dead'] as const).map((status) => {
          return { value: all.filter((node) => node.status === status).length, labels: { status } }
        })
      },
    },
    {
      name: 'wharf_node_heartbeat_age_seconds',
      help: 'Since the last heartbeat of each node that counts as alive',
      label: 'node',
      samples: async () =>
        (await nodes())
          .filter(({ status }) => status === 'Alive')
          .map(({ uuid, ageMs }) => ({ value: ageMs / 1000, labels: { node: uuid } })),
    },
    {
      name: 'wharf_jobs_active',
      help: 'Jobs that have not ended',
      label: 'state',
      samples: async () => (await active()).map(({ state, count }) => ({ value: count, labels: { state } })),
    },
    {
      name: 'wharf_job_oldest_waiting_seconds',
      help: 'Age of the job that has waited longest for a node to run it; 0 when none waits',
      samples: async () => [
        { value: ageOf((await active()).find(({ state }) => state === 'Waiting')?.oldest ?? null) },
      ],
    },
    {
      name: 'wharf_deliveries',
      help: 'Messages to chats: waiting, and failed within the time that they are kept',
      label: 'status',
      samples: async () => {
        const { waiting, failed } = await backlog()
        return [
          { value: waiting, labels: { status: 'Waiting' } },
          { value: failed, labels: { status: 'Failed' } },
        ]
      },
    },
    {
      name: 'wharf_delivery_oldest_waiting_seconds',
      help: 'Age of the message that has waited longest; 0 when none waits',
      samples: async () => [{ value: ageOf((await backlog()).oldest) }],
    },
    {
      name: 'wharf_hosts',
      help: 'Hosts by status',
      label: 'status',
      samples: fresh(clock, async () =>
        (await hosts.countByStatus()).map(({ status, count }) => ({ value: count, labels: { status } })),
      ),
    },
  ]
}

async function known(samples: Row['samples']): Promise<readonly Sample[]> {
  try {
    return await samples()
  } catch {
    return []
  }
}

/** Caches the last result; concurrent queries share one. */
function fresh<T>(clock: Clock, query: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined
  return () => {
    const now = clock.now()
    if (last === undefined || now - last.at >= freshMs || now < last.at) {
      const pending = { at: now, answer: query() }
      last = pending
      pending.answer.catch(() => {
        if (last === pending) last = undefined
      })
    }
    return last.answer
  }
}
